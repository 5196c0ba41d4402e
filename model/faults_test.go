package model_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plastic/config"
	"plastic/memory"
	"plastic/model"
)

// A prompt that is too long is no reason to stop asking for the tool.
func TestFieldsThatWereNotToBlameAreSentAgain(t *testing.T) {
	var long atomic.Bool
	long.Store(true)
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if long.Load() {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"error":{"message":"context window exceeded"}}`)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"x"}}]}`)
	})
	if _, err := s.Chat(context.Background(), question); !errors.Is(err, memory.ErrModel) {
		t.Fatal(err)
	}
	long.Store(false)
	if _, err := s.Chat(context.Background(), question); err != nil {
		t.Fatal(err)
	}
	last := s.sent[len(s.sent)-1]
	if last["tool_choice"] == nil || last["reasoning_effort"] == nil {
		t.Errorf("sent %v", last)
	}
}

func TestAnAnswerThatIsNoJSONIsNotQuotedWhereItHoldsWhatWasSent(t *testing.T) {
	for _, form := range []string{"<p>%s</p>", `{"choices":%q}`, `{"data":%q}`, `{"results":%q}`} {
		s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, form, question.User+" "+r.Header.Get("Authorization"))
		})
		ctx := context.Background()
		_, chat := s.Chat(ctx, question)
		_, embed := s.Embed(ctx, []string{question.User})
		_, rerank := s.Rerank(ctx, question.User, []string{"a"})
		for _, err := range []error{chat, embed, rerank} {
			if !errors.Is(err, memory.ErrModel) || strings.Contains(err.Error(), "private cats") || strings.Contains(err.Error(), secretKey) {
				t.Errorf("%s: %v", form, err)
			}
		}
	}
}

// A few characters of Chinese, Japanese or Korean are a sentence already, and a piece
// counts wherever in the answer it begins.
func TestAShortPieceOfWhatWasSentIsNotQuotedEither(t *testing.T) {
	for _, c := range []struct{ sent, said, hidden string }{
		{"我对花生过敏", "无法处理：我对花生过敏", "花生"},
		{"アレルギーがあります", "<b>アレルギー</b>", "アレルギー"},
		{"수술을 받았다", "bad input 수술을 받았다", "수술"},
		{"her ring is of size 17", "no: her ring is of", "ring"},
		{"у неё кольцо 17", "ошибка в «у неё кольцо»", "кольцо"},
	} {
		s := newStub(t, says(fmt.Sprintf(`{"error":{"message":%q}}`, c.said)))
		_, err := s.Embed(context.Background(), []string{c.sent})
		if !errors.Is(err, memory.ErrModel) || strings.Contains(err.Error(), c.hidden) {
			t.Errorf("sent %q: %v", c.sent, err)
		}
	}
	s := newStub(t, says(`{"error":{"message":"余额不足，请充值"}}`))
	if _, err := s.Embed(context.Background(), []string{"我对花生过敏"}); err == nil || !strings.Contains(err.Error(), "余额不足") {
		t.Errorf("what repeats nothing is quoted no more: %v", err)
	}
}

func TestAnErrorBesideEmptyFieldsKeepsItsStatus(t *testing.T) {
	s := newStub(t, says(`{"error":{"message":"slow down","code":"429"},"choices":null,"data":null}`))
	if _, err := s.Chat(context.Background(), question); !errors.Is(err, memory.ErrUnreached) {
		t.Errorf("error %v", err)
	}
}

func TestARefusedKeyAndACallerWhoLeavesDoNotStopWhatComesAfter(t *testing.T) {
	var code atomic.Int32
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if c := code.Load(); c != 0 {
			w.WriteHeader(int(c))
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"x"}}]}`)
	})
	for _, c := range []int32{401, 404} {
		code.Store(c)
		for range 5 {
			if _, err := s.Chat(context.Background(), question); !errors.Is(err, memory.ErrUnreached) {
				t.Fatal(err)
			}
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for range 5 {
		if _, err := s.Chat(gone, question); !errors.Is(err, memory.ErrUnreached) {
			t.Fatal(err)
		}
	}
	code.Store(0)
	if _, err := s.Chat(context.Background(), question); err != nil {
		t.Error(err)
	}
}

// An unknown model that is told with a 400 is not taken for a thousand bad texts.
func TestAnEndpointThatTakesNoTextIsAnError(t *testing.T) {
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error":{"message":"no such model"}}`)
	})
	got, err := s.Embed(context.Background(), make([]string, 200))
	if !errors.Is(err, memory.ErrModel) || !strings.Contains(err.Error(), "no such model") || got != nil {
		t.Errorf("%d vectors, error %v", len(got), err)
	}
	if len(s.paths) > 4 {
		t.Errorf("%d calls", len(s.paths))
	}
}

func TestRerankersThatWantTextsAreGivenTexts(t *testing.T) {
	s := newStub(t, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Texts []string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		s.mu.Lock()
		s.paths = append(s.paths, r.URL.Path)
		s.mu.Unlock()
		if in.Texts == nil {
			w.WriteHeader(422)
			fmt.Fprint(w, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 84")
			return
		}
		fmt.Fprint(w, `[{"index":1,"score":2},{"index":0,"score":-1}]`)
	}))
	defer server.Close()
	client := s.client(server.URL)
	for _, most := range []int{4, 1} {
		s.paths = nil
		got, err := client.Rerank(context.Background(), "q", []string{"a", "b"})
		if err != nil || fmt.Sprint(got) != "[-1 2]" || len(s.paths) > most {
			t.Errorf("%v in %d calls, error %v", got, len(s.paths), err)
		}
	}
}

// A date an hour ahead is longer than the call may take: it is made once.
func TestRetryAfterMayBeADate(t *testing.T) {
	for ahead, want := range map[time.Duration]int{time.Hour: 1, -time.Hour: 2} {
		s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			w.WriteHeader(503)
		})
		e := config.Endpoint{Base: s.url, Model: "m"}
		_, err := model.New(model.Settings{Chat: e, Timeout: 3 * time.Second, Attempts: 2}).Chat(context.Background(), question)
		if !errors.Is(err, memory.ErrUnreached) || len(s.paths) != want {
			t.Errorf("%v: %d calls, want %d, error %v", ahead, len(s.paths), want, err)
		}
	}
}

func TestACompressedAnswerIsReadAndOneWithoutAnEndRefused(t *testing.T) {
	var endless, cut atomic.Bool
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		fmt.Fprint(z, `{"choices":[{"message":{"content":"x"}}]}`)
		spaces := []byte(strings.Repeat(" ", 1<<20))
		for i := 0; endless.Load() && i < 66; i++ {
			z.Write(spaces)
		}
		if cut.Load() {
			z.Flush()
			return
		}
		z.Close()
	})
	if got, err := s.Chat(context.Background(), question); err != nil || got.Text != "x" {
		t.Errorf("%+v, error %v", got, err)
	}
	cut.Store(true)
	if _, err := s.Chat(context.Background(), question); !errors.Is(err, memory.ErrUnreached) {
		t.Errorf("cut: %v", err)
	}
	cut.Store(false)
	endless.Store(true)
	if _, err := s.Chat(context.Background(), question); !errors.Is(err, memory.ErrModel) {
		t.Errorf("endless: %v", err)
	}
}
