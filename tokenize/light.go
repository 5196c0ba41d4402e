package tokenize

// Light words frame a question or a turn without telling what it is about: what
// kind of, my favourite, do you remember, good morning, thanks. They are looked
// for like any other word, but that a text has one of them proves little. A
// question that holds nothing else is about nothing.

// lightWord reports light words of English and Russian, folded, not stemmed.
func lightWord(w []byte) bool {
	switch string(w) {
	case "type", "types", "kind", "kinds", "sort", "sorts", "thing", "things", "stuff", "way", "ways", "something", "anything", "everything", "nothing",
		"someone", "anyone", "somebody", "like", "likes", "liked", "want", "wants", "wanted",
		"get", "gets", "got", "make", "made", "done", "did", "go", "going", "think", "thought", "know", "knows", "knew", "remember", "remind",
		"tell", "told", "say", "said", "says", "talk", "talked", "mention", "mentioned", "ask", "asked", "need", "needs", "let", "lets", "see", "look",
		"best", "better", "good", "great", "nice", "fine", "well", "bad", "sure", "right", "ok", "okay", "yes", "yeah", "yep", "nope", "maybe", "please",
		"thanks", "thank", "thx", "hello", "hi", "hey", "bye", "goodbye", "sorry", "welcome", "wow", "haha", "lol", "cool", "morning", "evening", "night",
		"today", "tonight", "now", "later", "soon", "still", "already", "yet", "always", "never", "again", "back", "much", "many", "lot", "lots",
		"really", "quite", "too", "new", "next", "last", "one", "ones", "two", "time", "times", "day", "days", "come", "came", "give", "gave", "put", "take":
		return true
	case "тип", "вид", "вида", "сорт", "штука", "штуку", "дело", "дела", "вещь", "вещи", "нравится", "нравятся",
		"люблю", "любишь", "любит", "хочу", "хочешь", "хочет", "знаю", "знаешь", "знает", "помню", "помнишь", "напомни", "скажи", "сказал", "сказала", "расскажи",
		"рассказывал", "рассказывала", "говорил", "говорила", "говорили", "говоришь", "говорю", "просил", "просила", "спросил", "спросила",
		"думаю", "думаешь", "делать", "делал", "делала", "сделал", "сделала", "хорошо", "плохо", "лучший", "лучшая", "отлично", "класс", "ладно",
		"ага", "угу", "окей", "ок", "давай", "спасибо", "пожалуйста", "привет", "здравствуй", "здравствуйте", "пока", "доброе", "добрый", "доброй",
		"утро", "вечер", "ночи", "сегодня", "завтра", "скоро", "просто", "очень", "прям", "новый", "новая", "новое", "время", "день":
		return true
	}
	return false
}

// lightHan reports light words of Chinese and Japanese, simplified.
func lightHan(w []byte) bool {
	switch string(w) {
	case "类型", "种类", "类別", "东西", "事情", "喜欢", "中意", "钟意", "知道", "知唔", "觉得", "认为", "告诉", "提到", "提过", "说过", "讲过", "聊过",
		"谢谢", "多谢", "唔该", "你好", "您好", "早安", "早晨", "晚安", "早上", "再见", "拜拜", "哈哈", "好的", "好啊", "好呀", "收到", "没事", "可以", "应该", "今天", "今日", "今晚", "而家",
		"一下", "一个", "一些", "有点", "非常", "真的", "好多", "好き", "教え", "思い", "ありが", "おは", "おや":
		return true
	}
	return false
}
