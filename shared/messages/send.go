package messages

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger/notices"
)

// SignatureHeader has when a notice was posted, and the HMAC-SHA256 of that time and
// the body: t=UNIX,v1=HEX.
const SignatureHeader = "X-Planwright-Signature"

// signature is what the header says of a body.
func signature(key string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(mac, "%d.%s", at.Unix(), body)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(mac.Sum(nil)))
}

// send sends a notice to the webhook. A redirect is not followed: the URL is a secret,
// and nobody else is to read a notice.
func (s *Sender) send(ctx context.Context, n notices.Notice) error {
	body, err := json.Marshal(bodyOf(s.Config.form, n))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(
		ctx, http.MethodPost, s.Config.URL.Reveal(), bytes.NewReader(body),
	)
	if err != nil {
		return errors.New("the request could not be made")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", n.ID)
	if key := s.Config.Key; key != "" {
		request.Header.Set(SignatureHeader, signature(key.Reveal(), s.Now(), body))
	}
	client := *s.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the URL
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered with status %d", answer.StatusCode)
	}
	return nil
}

// bodyOf is a notice in the form that a webhook takes.
func bodyOf(f form, n notices.Notice) any {
	lines := strings.Join(n.Lines(), "\n")
	switch f {
	case slack:
		escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
		return map[string]string{"text": "*" + n.Headline + "*\n" + escape(lines) + "\n<" + n.Link +
			"|Open the page>"}
	case googleChat:
		return map[string]string{"text": "*" + n.Headline + "*\n" + lines + "\n" + n.Link}
	case teams:
		return card(n)
	}
	return n
}

// card is a notice as an adaptive card of Microsoft Teams.
func card(n notices.Notice) any {
	block := func(text, weight string) map[string]any {
		return map[string]any{"type": "TextBlock", "text": text, "wrap": true, "weight": weight}
	}
	blocks := []any{block(n.Headline, "bolder")}
	for _, line := range n.Lines() {
		blocks = append(blocks, block(line, "default"))
	}
	return map[string]any{"type": "message", "attachments": []any{map[string]any{
		"contentType": "application/vnd.microsoft.card.adaptive",
		"content": map[string]any{
			"$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
			"type":    "AdaptiveCard",
			"version": "1.4",
			"body":    blocks,
			"actions": []any{map[string]string{
				"type":  "Action.OpenUrl",
				"title": "Open the page",
				"url":   n.Link,
			}},
		},
	}}}
}
