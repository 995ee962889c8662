package messages_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/messages/messagestest"
)

// elsewhere is an address of this machine by which it is any other.
func elsewhere(t *testing.T) net.IP {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.IsGlobalUnicast() && network.IP.To4() != nil {
			return network.IP
		}
	}
	t.Skip("this machine has no address but those of its own")
	return nil
}

// certificate is one of its own for an address.
func certificate(t *testing.T, ip net.IP) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{ip}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// mailed tells one person of something through a mail server, with the user and the
// password that are given, and returns what is logged.
func mailed(t *testing.T, server *messagestest.Server, user, password string) string {
	t.Helper()
	var logged bytes.Buffer
	settings := map[string]string{"SMTP_ADDRESS": server.Address, "MAIL_FROM": "planwright@shop.example", "NOTIFY_PLANNERS": "ana@shop.example"}
	if user != "" {
		settings["SMTP_USER"], settings["SMTP_PASSWORD"] = user, password
	}
	sender := messages.NewSender(open(t, ledger.ToldCompleted), configured(t, settings), nil, slog.New(slog.NewTextHandler(&logged, nil)))
	if _, err := sender.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return logged.String()
}

// Mail to a server elsewhere goes over TLS, which it must offer and prove itself by, and
// signs in where that is asked for. What certificates are trusted is read once in a
// process, so that the test has one of its own.
func TestMailGoesOverTLSAndSignsIn(t *testing.T) {
	const alone = "MESSAGES_TEST_ALONE"
	ip := elsewhere(t)
	if os.Getenv(alone) == "" {
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		command.Env = append(os.Environ(), alone+"=1", "SSL_CERT_FILE="+filepath.Join(t.TempDir(), "trusted.pem"))
		if output, err := command.CombinedOutput(); err != nil || !bytes.Contains(output, []byte("--- PASS: "+t.Name())) {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	own, other := certificate(t, ip), certificate(t, net.IPv4(192, 0, 2, 1))
	trusted := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})
	if err := os.WriteFile(os.Getenv("SSL_CERT_FILE"), trusted, 0o600); err != nil { // before anything is verified
		t.Fatal(err)
	}
	at := func(change func(*messagestest.Server, *smtp.Server)) *messagestest.Server {
		return messagestest.Serve(t, func(s *messagestest.Server, server *smtp.Server) {
			s.Address = net.JoinHostPort(ip.String(), "0")
			server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}
			change(s, server)
		})
	}
	asks := func(s *messagestest.Server, _ *smtp.Server) { s.User, s.Password = "shop", "secret" }
	for name, tc := range map[string]struct {
		server         *messagestest.Server
		user, password string
		refused        string // part of what is logged; "": it is taken
	}{
		"signed in":            {at(asks), "shop", "secret", ""},
		"nobody has to":        {at(func(*messagestest.Server, *smtp.Server) {}), "", "", ""},
		"a wrong password":     {at(asks), "shop", "wrong", "535"},
		"nobody signed in":     {at(asks), "", "", "502"},
		"it does not encrypt":  {at(func(_ *messagestest.Server, s *smtp.Server) { s.TLSConfig = nil }), "", "", "does not support STARTTLS"},
		"another's credential": {at(func(_ *messagestest.Server, s *smtp.Server) { s.TLSConfig.Certificates = []tls.Certificate{other} }), "", "", "certificate"},
	} {
		logged := mailed(t, tc.server, tc.user, tc.password)
		mails := tc.server.Mails()
		switch {
		case strings.Contains(logged, "secret") || strings.Contains(logged, "wrong"):
			t.Errorf("%s: the password is logged: %s", name, logged)
		case tc.refused != "":
			if len(mails) != 0 || !strings.Contains(logged, tc.refused) {
				t.Errorf("%s: %+v\n%s", name, mails, logged)
			}
		case len(mails) != 1 || !mails[0].Secure || mails[0].By != tc.user || mails[0].To != "ana@shop.example" || mails[0].Hello != "shop.example":
			t.Errorf("%s: %+v\n%s", name, mails, logged)
		}
	}
}

// What is taken is sent once, though the server hangs up before it is bid farewell.
func TestMailThatWasTakenIsNotSentAgain(t *testing.T) {
	server := messagestest.Serve(t, func(s *messagestest.Server, _ *smtp.Server) { s.HangsUp = true })
	if logged := mailed(t, server, "", ""); logged != "" || len(server.Mails()) != 1 {
		t.Errorf("%+v\n%s", server.Mails(), logged)
	}
}
