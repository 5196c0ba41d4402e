package same

import "strings"

// extra gives the places of what long has beyond short, and whether short stands
// in long in the same order.
func extra(short, long []string) (added []int, inside bool) {
	i := 0
	for at, t := range long {
		if i < len(short) && short[i] == t {
			i++
			continue
		}
		added = append(added, at)
	}
	return added, i == len(short)
}

// Words that turn a sentence into another one when they come into it. They stand
// as stems, blank-separated; single characters for Chinese and Cantonese.
const (
	// "not", "no longer", "used to"
	negations = " not no never dont doesnt didnt isnt arent wasnt werent cant cannot couldnt wont wouldnt havent hasnt hadnt shouldnt mustnt aint neither nor none nobody noth without" +
		" stop quit give anymor longer former ex hard bare seldom rare except unless fail refus deni avoid hate use" +
		" не нет ни без никогда нисколько нельзя невозможн перестал перестат бросил бывш раньш разлюбил кром едв вряд отказа" +
		" 不 沒 没 無 无 別 别 未 非 冇 唔 勿 毋 莫 戒 停 曾 否 弗 甭 过 過" +
		" nicht kein keinem nie niemal ohn kaum nein pas plus jamai san rien aucun sin nunca nada não nem senza mai geen niet nooit ikk inte aldrig" +
		" ні ніколи 안 못 않 "
	// "almost", "would", "wants to", "only"
	conditions = " almost would could should might mayb perhap suppos pretend plan want wish hope intend dream instead onli if half" +
		" почт бы б есл возможн вероятн наверн план планир собира мечта хочет хотел хотет хоч хотят мог может могл мож чут якоб тольк" +
		" 想 要 会 會 若 似 差 将 將 愿 願 只 仅 僅 fast vielleicht möchte presque peut casi quizás "
	// whose relative it is about
	relatives = " mother mom mum father dad sister brother son daughter wife husband child boyfriend girlfriend friend aunt uncl cousin niec nephew" +
		" grandmoth grandmother grandma grandfath grandfather grandpa parent boss colleagu neighbour neighbor partner" +
		" мат мам матер отец отц пап сестр брат сын доч дочер дочк жен муж друг подруг бабушк дедушк тет дяд племянник сосед начальник коллег" +
		" 妈 媽 爸 姐 姊 妹 哥 弟 妻 奶 爷 爺 叔 姑 姨 舅 嫂 姥 婆 友 "
	// what brings a relative in as company, not in the person's place
	company     = " with and for to by с со и для к 和 跟 同 与 與 带 帶 陪 "
	determiners = " her his my your our their the a an own свой сво е ег их мо тво "
)

// turns reports whether the terms of long at the places added make it say
// something else than it said without them.
func turns(long []string, added []int) bool {
	for _, at := range added {
		t := strings.Trim(long[at], "'’")
		switch {
		case in(negations, t), in(conditions, t), strings.HasSuffix(t, "n't"), strings.HasSuffix(t, "n’t"):
			return true
		case in(relatives, t) && !accompanies(long[:at]):
			return true
		}
	}
	return false
}

// accompanies reports whether what stands before a relative makes her company:
// "with her sister", "and my brother", 跟妹.
func accompanies(before []string) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch t := before[i]; {
		case in(company, t):
			return true
		case !in(determiners, t) && !in(relatives, t): // 妹妹 is two characters
			return false
		}
	}
	return false
}

func in(table, term string) bool {
	return term != "" && strings.Contains(table, " "+term+" ")
}
