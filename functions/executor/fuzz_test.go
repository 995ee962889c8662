package executor

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// FuzzEvent posts any body under any content type and event type. It is an
// event of an object that is not there, or none: nothing else comes of it, and
// never a panic or an answer in another form.
func FuzzEvent(f *testing.F) {
	data := `{"bucket":"inbox","name":"plan_fitness_v1/p.csv","generation":"1","size":"54","timeCreated":"2026-03-01T10:00:00Z","metadata":{"execution-id":"plan_other_v1","columns":"sku=A"}}`
	f.Add(data, "application/json", Finalized)
	f.Add(strings.Replace(data, "plan_fitness_v1/p.csv", "plan_fitness_v1/plan.json", 1), "application/json", Finalized)
	f.Add(strings.Replace(data, "plan_fitness_v1/p.csv", "../../p.csv", 1), "application/json; charset=utf-8", Finalized)
	f.Add(`{"specversion":"1.0","id":"1","source":"x","type":"`+Finalized+`","datacontenttype":"application/json","data":`+data+`}`, "application/cloudevents+json", "")
	f.Add(`{"specversion":"1.0","id":"1","source":"x","type":"`+Finalized+`","data_base64":"e30="}`, "application/cloudevents+json", "")
	f.Add(`[]`, "application/cloudevents-batch+json", "google.cloud.storage.object.v1.deleted")
	f.Add(`{"bucket":"inbox","name":"a.txt","generation":"9223372036854775808"}`, "text/plain", Finalized)
	handler := start(f).serve
	f.Fuzz(func(t *testing.T, body, contentType, eventType string) {
		request := httptest.NewRequest(http.MethodPost, "/executor", strings.NewReader(body))
		for name, value := range map[string]string{"Content-Type": contentType, "Ce-Type": eventType, "Ce-Id": "1", "Ce-Source": "x", "Ce-Specversion": "1.0"} {
			if value != "" {
				request.Header[name] = []string{value}
			}
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if !slices.Contains([]int{204, 400, 413, 415, 422, 503}, recorder.Code) {
			t.Errorf("%d %s", recorder.Code, recorder.Body)
		}
		if recorder.Code != http.StatusNoContent && !strings.HasPrefix(recorder.Body.String(), `{"error":{"code":"`) {
			t.Errorf("%d %s", recorder.Code, recorder.Body)
		}
	})
}
