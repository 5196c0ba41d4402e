// Package secret knows the shapes of keys and passwords, so that they are
// refused at the door of the memory. It knows shapes only: a secret that looks
// like a word passes.
//
//	if what := secret.Find(text); what != "" { … refuse, naming what … }
package secret

import (
	"regexp"
	"strings"
	"sync"
)

type shape struct {
	what string
	hint string // text without any of these, blank-separated, can not match; saves the regular expression
	expr string
}

// Pieces of the shape of a named secret.
const (
	passwords = `password|passwd|passphrase|pwd|passwort|kennwort|contraseña|mot de passe|senha|парол[ьяею]|密码|密碼|口令|パスワード|비밀번호`
	names     = passwords + `|secret|token|api[_ -]?key|(?:access|private|client|auth|signing)[_ -]?(?:key|token)`
	is        = `(?:\s*(?:=|:|：|是|係|は)\s*|\s+(?:is|ist|es|est|—|–|-):?\s+)`
	nameHints = "pass pwd kennwort contraseña senha secret token api_key api-key apikey key парол 密码 密碼 口令 パスワード 비밀번호"
	of        = `(?:\s+(?:for|to|of|on|für|para|от|для|на|к)\s+(?:[^\s:=]+\s+){0,2}?[^\s:=]+)` // what it opens
	quote     = "[\"'`«“]"
	mixed     = `(?:[^\s"'` + "`" + `]*[A-Za-z][^\s"'` + "`" + `]*[0-9]|[^\s"'` + "`" + `]*[0-9][^\s"'` + "`" + `]*[A-Za-z])[^\s"'` + "`" + `]{2,}`
)

// shapes are the published forms of keys and tokens. The hints are lower case.
var shapes = []shape{
	{"a private key", "private key", `(?i)-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----`},
	{"an API key", "sk- sk_ rk_ pk_", `\b[srp]k[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{12,}`},
	{"an AWS access key", "akia asia", `\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`},
	{"a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", `\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})`},
	{"a GitLab token", "glpat-", `\bglpat-[A-Za-z0-9_-]{16,}`},
	{"a Slack token", "xox xapp-", `\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}`},
	{"a Google API key", "aiza", `\bAIza[0-9A-Za-z_-]{30,}`},
	{"a Hugging Face token", "hf_", `\bhf_[A-Za-z0-9]{20,}`},
	{"an npm token", "npm_", `\bnpm_[A-Za-z0-9]{30,}`},
	{"a Telegram bot token", ":aa", `\b[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`},
	{"a signed token (JWT)", "eyj", `\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+`},
	{"an age key", "age-secret-key-", `(?i)\bAGE-SECRET-KEY-1[0-9A-Z]{40,}`},
	{"a DigitalOcean token", "dop_v1_ doo_v1_", `\bdo[op]_v1_[a-f0-9]{40,}`},
	{"a SendGrid key", "sg.", `\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}`},
	{"a PyPI token", "pypi-", `\bpypi-[A-Za-z0-9_-]{40,}`},
	{"a Docker token", "dckr_pat_", `\bdckr_pat_[A-Za-z0-9_-]{20,}`},
	{"a webhook secret", "whsec_", `\bwhsec_[A-Za-z0-9+/=]{20,}`},
	{"a Shopify token", "shp", `\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}`},
	{"a Grafana token", "glsa_ glc_", `\bgl(?:sa|c)_[A-Za-z0-9+/=_-]{24,}`},
	{"a Vault token", "hvs. hvb.", `\bhv[sb]\.[A-Za-z0-9_-]{20,}`},
	{"a Google token", "ya29.", `\bya29\.[A-Za-z0-9_-]{20,}`},
	{"a bearer token", "bearer", `(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}`},
	{"a password in an address", "://", `(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]{3,}@`},
	// a named secret and its value: something with a letter and a digit in it; of a
	// password a longer number too
	{"a password", nameHints, `(?i)(?:` + names + `)` + of + `?` + is + quote + `?` + mixed},
	{"a password", nameHints, `(?i)(?:` + passwords + `)` + of + `?` + is + quote + `?[0-9]{6,}`},
	{"a password", "парол", `(?i)парол[ьяею]` + of + `\s+` + quote + `?` + mixed},
}

// compiled waits for the first text that has a hint in it: most runs need none.
var compiled = sync.OnceValue(func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(shapes))
	for i, s := range shapes {
		out[i] = regexp.MustCompile(s.expr)
	}
	return out
})

// Find names the first known secret in text ("an API key"), or gives "".
func Find(text string) string {
	lower := strings.ToLower(text)
	for i, s := range shapes {
		if hinted(lower, s) && compiled()[i].MatchString(text) {
			return s.what
		}
	}
	return ""
}

// Mask gives text with every known secret put as "[secret]".
func Mask(text string) string {
	lower := strings.ToLower(text)
	for i, s := range shapes {
		if hinted(lower, s) {
			text = compiled()[i].ReplaceAllString(text, "[secret]")
		}
	}
	return text
}

func hinted(lower string, s shape) bool {
	if s.what == "a private key" {
		return strings.Contains(lower, s.hint)
	}
	for h := range strings.FieldsSeq(s.hint) {
		if strings.Contains(lower, h) {
			return true
		}
	}
	return false
}
