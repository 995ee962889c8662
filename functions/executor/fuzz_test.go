package executor

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/web"
)

// FuzzEvent posts any body under any content type and event type. What is
// taken is an event of an object of the inbox; the rest is refused in the one
// form, for good. What becomes of events is fuzzed with the protocol.
func FuzzEvent(f *testing.F) {
	data := `{"bucket":"inbox","name":"plan_fitness_v1/p.csv","generation":"1","size":"54","timeCreated":"2026-03-01T10:00:00Z","metadata":{"execution-id":"plan_other_v1","columns":"sku=A"}}`
	f.Add(data, "application/json", finalizedType)
	f.Add(strings.Replace(data, "plan_fitness_v1/p.csv", "plan_fitness_v1/plan.json", 1), "application/json", finalizedType)
	f.Add(strings.Replace(data, "plan_fitness_v1/p.csv", "../../p.csv", 1), "application/json; charset=utf-8", finalizedType)
	f.Add(`{"specversion":"1.0","id":"1","source":"x","type":"`+finalizedType+`","datacontenttype":"application/json","data":`+data+`}`, "application/cloudevents+json", "")
	f.Add(`{"specversion":"1.0","id":"1","source":"x","type":"`+finalizedType+`","data_base64":"e30="}`, "application/cloudevents+json", "")
	f.Add(`[]`, "application/cloudevents-batch+json", "google.cloud.storage.object.v1.deleted")
	f.Add(`{"bucket":"inbox","name":"a.txt","generation":"9223372036854775808"}`, "text/plain", finalizedType)
	f.Add(`{"message":{"attributes":{"eventType":"OBJECT_FINALIZE"},"data":"`+base64.StdEncoding.EncodeToString([]byte(data))+`"}}`, "application/json", Published)
	f.Add(`{"message":{"data":"e30="}}`, "application/json", Published)
	var taken ledger.Upload
	router := web.NewRouter()
	router.Handle("POST /executor", func(w http.ResponseWriter, r *http.Request) (any, error) {
		event, err := read(w, r)
		if err == nil {
			taken, err = decode(event, "inbox")
		}
		if err == nil {
			w.WriteHeader(http.StatusNoContent)
		}
		return nil, err
	})
	service := web.Service{}.Serve(router)
	f.Fuzz(func(t *testing.T, body, contentType, eventType string) {
		request := httptest.NewRequest(http.MethodPost, "/executor", strings.NewReader(body))
		for name, value := range map[string]string{"Content-Type": contentType, "Ce-Type": eventType, "Ce-Id": "1", "Ce-Source": "x", "Ce-Specversion": "1.0"} {
			if value != "" {
				request.Header[name] = []string{value}
			}
		}
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, request)
		switch recorder.Code {
		case http.StatusNoContent:
			if taken.Bucket != "inbox" || taken.Object == "" || taken.Generation <= 0 {
				t.Errorf("taken: %+v", taken)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
			if !strings.HasPrefix(recorder.Body.String(), `{"error":{"code":"`) {
				t.Errorf("%d %s", recorder.Code, recorder.Body)
			}
		default:
			t.Errorf("%d %s", recorder.Code, recorder.Body)
		}
	})
}
