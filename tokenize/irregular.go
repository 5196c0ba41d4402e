package tokenize

// base gives the base form of an irregular English form (bought → buy, mice →
// mouse), else the word. Where a form has two readings the one people remember
// things by was taken.
func base(w string) string {
	switch w {
	case "worse", "worst":
		return "bad"
	case "am", "are", "been", "is", "was", "were":
		return "be"
	case "became":
		return "become"
	case "began", "begun":
		return "begin"
	case "bit", "bitten":
		return "bite"
	case "blew", "blown":
		return "blow"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "children":
		return "child"
	case "chose", "chosen":
		return "choose"
	case "came":
		return "come"
	case "crept":
		return "creep"
	case "dealt":
		return "deal"
	case "dug":
		return "dig"
	case "did", "does", "done":
		return "do"
	case "drawn", "drew":
		return "draw"
	case "drank", "drunk":
		return "drink"
	case "driven", "drove":
		return "drive"
	case "ate", "eaten":
		return "eat"
	case "fallen", "fell":
		return "fall"
	case "fed":
		return "feed"
	case "felt":
		return "feel"
	case "fought":
		return "fight"
	case "found":
		return "find"
	case "flew", "flown":
		return "fly"
	case "feet":
		return "foot"
	case "forgot", "forgotten":
		return "forget"
	case "forgave", "forgiven":
		return "forgive"
	case "froze", "frozen":
		return "freeze"
	case "got", "gotten":
		return "get"
	case "gave", "given":
		return "give"
	case "goes", "gone", "went":
		return "go"
	case "best", "better":
		return "good"
	case "grew", "grown":
		return "grow"
	case "hung":
		return "hang"
	case "had", "has":
		return "have"
	case "heard":
		return "hear"
	case "hid", "hidden":
		return "hide"
	case "held":
		return "hold"
	case "kept":
		return "keep"
	case "knew", "known":
		return "know"
	case "laid":
		return "lay"
	case "led":
		return "lead"
	case "learnt":
		return "learn"
	case "left":
		return "leave"
	case "lent":
		return "lend"
	case "lain", "lay":
		return "lie"
	case "lives":
		return "life"
	case "lit":
		return "light"
	case "lost":
		return "lose"
	case "made":
		return "make"
	case "men":
		return "man"
	case "meant":
		return "mean"
	case "met":
		return "meet"
	case "mice":
		return "mouse"
	case "paid":
		return "pay"
	case "people":
		return "person"
	case "ridden", "rode":
		return "ride"
	case "rang", "rung":
		return "ring"
	case "risen", "rose":
		return "rise"
	case "ran":
		return "run"
	case "said":
		return "say"
	case "saw", "seen":
		return "see"
	case "sought":
		return "seek"
	case "sold":
		return "sell"
	case "sent":
		return "send"
	case "shaken", "shook":
		return "shake"
	case "shone":
		return "shine"
	case "shot":
		return "shoot"
	case "shown":
		return "show"
	case "sang", "sung":
		return "sing"
	case "sank", "sunk":
		return "sink"
	case "sat":
		return "sit"
	case "slept":
		return "sleep"
	case "slid":
		return "slide"
	case "spoke", "spoken":
		return "speak"
	case "spent":
		return "spend"
	case "stood":
		return "stand"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "struck":
		return "strike"
	case "swore", "sworn":
		return "swear"
	case "swept":
		return "sweep"
	case "swam", "swum":
		return "swim"
	case "taken", "took":
		return "take"
	case "taught":
		return "teach"
	case "tore", "torn":
		return "tear"
	case "told":
		return "tell"
	case "thought":
		return "think"
	case "threw", "thrown":
		return "throw"
	case "teeth":
		return "tooth"
	case "understood":
		return "understand"
	case "woke", "woken":
		return "wake"
	case "wore", "worn":
		return "wear"
	case "wept":
		return "weep"
	case "wives":
		return "wife"
	case "won":
		return "win"
	case "women":
		return "woman"
	case "written", "wrote":
		return "write"
	}
	return w
}
