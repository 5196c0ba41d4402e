package tokenize

import "unicode/utf8"

// contentHan tells for each character of a run of Han and kana whether it can
// carry information: what is left when question words, pronouns and particles
// are cut out, longest first. The characters are simplified.
//
// There are no borders between words, so a particle of one character may be part
// of a word: 过 in 过敏, 在 in 现在. Words that are often asked for are kept whole,
// and a character that would be left alone takes such a neighbour with it.
func contentHan(run []byte, at []int, keep []bool) []bool {
	n := len(at)
	end := func(i int) int {
		if i < n {
			return at[i]
		}
		return len(run)
	}
	for i := 0; i < n; {
		l, content := 1, true
		for try := min(4, n-i); try > 0; try-- {
			w := run[at[i]:end(i+try)]
			if try > 1 && keptHan(w) {
				l = try
				break
			}
			if functionHan(w) || try == 1 && (particleHan(w) != never || kanaParticle(run, at, i)) {
				l, content = try, false
				break
			}
		}
		for range l {
			keep = append(keep, content)
		}
		i += l
	}
	alone := func(i int) bool { return keep[i] && (i == 0 || !keep[i-1]) && (i == n-1 || !keep[i+1]) }
	for i := range n {
		switch {
		case !alone(i):
		case i > 0 && particleHan(run[at[i-1]:at[i]]) == inWords:
			keep[i-1] = true
		case i < n-1 && particleHan(run[at[i+1]:end(i+2)]) == inWords:
			keep[i+1] = true
		}
	}
	return keep
}

// functionHan reports question words, pronouns and endings of Chinese, Cantonese
// and Japanese of two characters and more, in simplified characters.
func functionHan(w []byte) bool {
	switch string(w) {
	case "什么", "哪些", "哪个", "哪里", "哪儿", "哪一", "哪天", "哪位", "怎么样", "怎么", "怎样", "多少", "为什么", "为何", "如何",
		"是不是", "有没有", "还记得", "你记得", "记得", "曾经", "我们", "你们", "他们", "她们", "它们", "咱们", "请问", "关于",
		"什么时候", "多久", "几时", "自己", "这个", "那个", "这些", "那些", "这里", "那里", "因为", "所以", "但是", "可是", "或者", "以及", "告诉我":
		return true
	case "我哋", "你哋", "佢哋", "乜嘢", "乜野", "点解", "点样", "边个", "边度", "边位", "几多", "系咪", "唔系", "有冇", "呢个", "嗰个", "呢啲", "嗰啲", "嘅话":
		return true
	case "です", "ます", "した", "ですか", "ますか", "ました", "でした", "でしょう", "ません", "ている", "ていた", "という", "どこ", "だれ", "いつ",
		"なに", "なぜ", "どう", "どの", "どれ", "どんな", "それ", "これ", "あれ", "この", "その", "あの", "から", "まで", "について", "こと",
		"何时", "何处", "何人", "何个", "何回", "何を", "何が", "何の", "何で", "谁が", "谁と", "谁の", "私は", "私の", "私が", "あなた", "彼女", "でも", "とは", "には", "では":
		return true
	}
	return false
}

// keptHan reports everyday words that hold a particle, which must not be cut.
func keptHan(w []byte) bool {
	switch string(w) {
	case "过敏", "过年", "过去", "过期", "过程", "过节", "过夜", "通过", "经过", "超过", "难过", "路过", "错过", "经过了", "度过",
		"现在", "存在", "在线", "正在", "在职", "目的", "的士", "打的", "的确", "是非", "总是", "还是",
		"和平", "和谐", "和解", "和尚", "和服", "温和", "暖和", "了解", "除了", "为了", "不了", "与会", "参与", "给予", "供给",
		"其他", "吉他", "酒吧", "网吧", "贴吧", "吧台", "任何", "几何", "自我", "他乡", "人们", "哥们", "我国", "那时", "刹那",
		"呢绒", "吗啡", "它山", "这样", "那样", "谁知", "哪吒":
		return true
	}
	return false
}

// use is how a particle of one character is used.
type use uint8

const (
	never   use = iota // it is no particle
	only               // hardly ever part of another word
	inWords            // often part of another word
)

func particleHan(w []byte) use {
	switch string(w) {
	case "的", "了", "吗", "呢", "我", "你", "她", "它", "这", "那", "哪", "谁", "您", "咱", "嘅", "咗", "喺", "佢", "哋", "啲", "咩", "乜", "噉", "咁", "嗰", "㗎", "啦", "喎", "え", "へ", "を":
		return only
	case "是", "在", "和", "与", "他", "们", "过", "给", "吧", "何", "唔":
		return inWords
	}
	return never
}

// kanaParticle reports a hiragana particle beside a character that is not
// hiragana: は in 猫は, but not in はな.
func kanaParticle(run []byte, at []int, i int) bool {
	r, n := utf8.DecodeRune(run[at[i]:])
	switch r {
	case 'か', 'は', 'が', 'に', 'の', 'で', 'と', 'も':
	default:
		return false
	}
	before := i > 0
	if before {
		r, _ := utf8.DecodeRune(run[at[i-1]:])
		before = !hiragana(r)
	}
	after := at[i]+n < len(run)
	if after {
		r, _ := utf8.DecodeRune(run[at[i]+n:])
		after = !hiragana(r)
	}
	return before || after
}

func hiragana(r rune) bool { return r >= 0x3041 && r <= 0x309F }
