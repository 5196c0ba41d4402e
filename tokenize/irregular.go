package tokenize

// base gives the base form of an irregular English form (bought → buy, mice →
// mouse), else the word. Where a form has two readings (left, saw, lives) also has
// the other one.
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
	case "bent":
		return "bend"
	case "bit", "bitten":
		return "bite"
	case "bled":
		return "bleed"
	case "blew", "blown":
		return "blow"
	case "broke", "broken":
		return "break"
	case "bred":
		return "breed"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "calves":
		return "calf"
	case "caught":
		return "catch"
	case "children":
		return "child"
	case "chose", "chosen":
		return "choose"
	case "clung":
		return "cling"
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
	case "dreamt":
		return "dream"
	case "drank", "drunk":
		return "drink"
	case "driven", "drove":
		return "drive"
	case "ate", "eaten":
		return "eat"
	case "elves":
		return "elf"
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
	case "fled":
		return "flee"
	case "flung":
		return "fling"
	case "flew", "flown":
		return "fly"
	case "feet":
		return "foot"
	case "forbade", "forbidden":
		return "forbid"
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
	case "geese":
		return "goose"
	case "grew", "grown":
		return "grow"
	case "halves":
		return "half"
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
	case "hooves":
		return "hoof"
	case "kept":
		return "keep"
	case "knelt":
		return "kneel"
	case "knives":
		return "knife"
	case "knew", "known":
		return "know"
	case "laid":
		return "lay"
	case "led":
		return "lead"
	case "leapt":
		return "leap"
	case "learnt":
		return "learn"
	case "left":
		return "leave"
	case "lent":
		return "lend"
	case "lain", "lay":
		return "lie"
	case "lit":
		return "light"
	case "loaves":
		return "loaf"
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
	case "scarves":
		return "scarf"
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
	case "shelves":
		return "shelf"
	case "shone":
		return "shine"
	case "shot":
		return "shoot"
	case "shown":
		return "show"
	case "shrank", "shrunk":
		return "shrink"
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
	case "smelt":
		return "smell"
	case "spoke", "spoken":
		return "speak"
	case "spent":
		return "spend"
	case "spun":
		return "spin"
	case "sprang", "sprung":
		return "spring"
	case "stood":
		return "stand"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "stung":
		return "sting"
	case "struck":
		return "strike"
	case "strung":
		return "string"
	case "swore", "sworn":
		return "swear"
	case "swept":
		return "sweep"
	case "swam", "swum":
		return "swim"
	case "swung":
		return "swing"
	case "taken", "took":
		return "take"
	case "taught":
		return "teach"
	case "tore", "torn":
		return "tear"
	case "told":
		return "tell"
	case "thieves":
		return "thief"
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
	case "wove", "woven":
		return "weave"
	case "wept":
		return "weep"
	case "wives":
		return "wife"
	case "won":
		return "win"
	case "wolves":
		return "wolf"
	case "women":
		return "woman"
	case "written", "wrote":
		return "write"
	}
	return w
}

// also gives the second reading of a form that two words share, "" for most: lives
// is of live and of life, left is where someone went from and a side. A text with
// such a form is found by both.
func also(w string) string {
	switch w {
	case "bit", "drunk", "felt", "found", "lay", "led", "left", "lent", "rose", "rung", "saw", "shot", "smelt", "spoke", "spun", "stole", "thought", "won", "wove":
		return w // base gives the verb
	case "bore":
		return "bear"
	case "bound":
		return "bind"
	case "dove":
		return "dive"
	case "ground":
		return "grind"
	case "leaves":
		return "leaf"
	case "lives":
		return "life"
	case "wound":
		return "wind"
	}
	return ""
}
