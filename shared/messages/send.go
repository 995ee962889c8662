package messages

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/smtp"
	"net/url"
	"strings"
	"time"
)

// poster reaches targets by HTTP and SMTP.
type poster struct {
	Config
	client *http.Client
}

func (p poster) send(ctx context.Context, t Target, text Text) error {
	if t.form == byMail {
		return p.mail(ctx, t.to, text)
	}
	return p.post(ctx, t, text)
}

// post sends a message to a webhook. Whoever sends it elsewhere is not followed: the
// address is a secret, and what is told is for nobody else.
func (p poster) post(ctx context.Context, t Target, text Text) error {
	body, err := json.Marshal(bodyOf(t.form, text))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.to, bytes.NewReader(body))
	if err != nil {
		return errors.New("the request could not be made")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", text.ID)
	client := *p.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the address
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered %s", answer.Status)
	}
	return nil
}

// bodyOf is a message in the form that a webhook takes.
func bodyOf(f form, t Text) any {
	lines := strings.Join(t.Lines(), "\n")
	switch f {
	case slack:
		escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
		return map[string]string{"text": "*" + t.Headline + "*\n" + escape(lines) + "\n<" + t.Link + "|Open the page>"}
	case googleChat:
		return map[string]string{"text": "*" + t.Headline + "*\n" + lines + "\n" + t.Link}
	case teams:
		block := func(text, weight string) map[string]any {
			return map[string]any{"type": "TextBlock", "text": text, "wrap": true, "weight": weight}
		}
		blocks := []any{block(t.Headline, "bolder")}
		for _, line := range t.Lines() {
			blocks = append(blocks, block(line, "default"))
		}
		return map[string]any{"type": "message", "attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive",
			"content": map[string]any{
				"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": blocks,
				"actions": []any{map[string]string{"type": "Action.OpenUrl", "title": "Open the page", "url": t.Link}},
			},
		}}}
	}
	return map[string]any{
		"id": t.ID, "kind": t.Kind, "at": t.At, "execution_id": t.ExecutionID, "headline": t.Headline, "instruction": t.Instruction,
		"effect": t.Effect, "by": t.By, "note": t.Note, "code": t.Code, "link": t.Link,
	}
}

// mail sends a message to one address.
func (p poster) mail(ctx context.Context, to string, text Text) error {
	host, port, err := net.SplitHostPort(p.SMTPAddress)
	if err != nil {
		return err
	}
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.SMTPAddress)
	if err != nil {
		return err
	}
	defer connection.Close()
	if deadline, limited := ctx.Deadline(); limited {
		if err := connection.SetDeadline(deadline); err != nil {
			return err
		}
	}
	secure := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if port == "465" {
		connection = tls.Client(connection, secure)
	}
	client, err := smtp.NewClient(connection, host)
	if err != nil {
		return err
	}
	if err := client.Hello(domainOf(p.From)); err != nil { // many servers take no sender that says localhost
		return err
	}
	if port != "465" && !isLoopback(host) {
		if err := client.StartTLS(secure); err != nil { // refused where it is not offered
			return fmt.Errorf("the mail server does not encrypt: %w", err)
		}
	}
	if p.SMTPUser != "" {
		if err := client.Auth(smtp.PlainAuth("", p.SMTPUser, string(p.SMTPPassword), host)); err != nil {
			return err
		}
	}
	return deliver(client, p.From, to, mailOf(p.From, to, text))
}

func deliver(client *smtp.Client, from, to string, content []byte) error {
	if err := client.Mail(from); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	writer, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := writer.Write(content); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	_ = client.Quit() // it was taken
	return nil
}

// mailOf is a message as mail.
func mailOf(from, to string, t Text) []byte {
	subject := t.Headline
	if t.Instruction != "" {
		subject += " " + oneLine(t.Instruction)
	}
	var b bytes.Buffer
	for _, header := range [][2]string{
		{"From", from}, {"To", to}, {"Subject", mime.QEncoding.Encode("utf-8", shortened(subject))}, {"Date", t.At.Format(time.RFC1123Z)},
		{"Message-ID", "<" + t.ID + "@" + domainOf(from) + ">"}, {"Auto-Submitted", "auto-generated"}, {"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "base64"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", header[0], header[1])
	}
	text := t.Headline + "\r\n\r\n" + strings.Join(t.Lines(), "\r\n") + "\r\n\r\n" + t.Link + "\r\n"
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	for len(encoded) > 0 {
		n := min(len(encoded), 76)
		b.WriteString("\r\n" + encoded[:n])
		encoded = encoded[n:]
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// domainOf is what stands behind the @ of an address.
func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// oneLine is a text without its ends of lines.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shortened is a subject that a mail program shows whole.
func shortened(text string) string {
	const longest = 120
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return string(runes[:longest-3]) + "..."
}
