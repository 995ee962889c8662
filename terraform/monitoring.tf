# What somebody should look at, counted in the functions' own log lines and in
# Cloud Run's request log. A test finds the messages in the code.

locals {
  services = { for name in ["planner", "executor", "session"] : name => "${var.prefix}-${name}" }

  logged = {
    for name, service in local.services :
    name => "resource.type=\"cloud_run_revision\" resource.labels.service_name=\"${service}\""
  }
  requests = "log_id(\"run.googleapis.com/requests\")"

  metrics = {
    executions_completed = {
      description = "Executions that completed"
      filter      = "${local.logged.executor} jsonPayload.message=\"completed\""
    }
    executions_failed = {
      description = "Uploads that were refused for good"
      filter      = "${local.logged.executor} jsonPayload.message=\"failed\""
    }
    executions_stuck = {
      description = "Sealed executions that could not be finished"
      filter      = "${local.logged.executor} jsonPayload.message=\"a sealed execution could not be finished\""
    }
    deliveries_retried = {
      description = "Events that will be delivered again"
      filter      = "${local.logged.executor} jsonPayload.message=\"the event will be delivered again\""
    }
    planner_errors = {
      description = "Requests to the planner that were answered with 5xx"
      filter      = "${local.logged.planner} ${local.requests} httpRequest.status>=500"
    }
    session_errors = {
      description = "Requests to the session function that were answered with 5xx"
      filter      = "${local.logged.session} ${local.requests} httpRequest.status>=500"
    }
  }

  # More than this many in these minutes, and what to do about it.
  alerts = {
    executions_failed = {
      title  = "an upload was refused", more_than = 0, minutes = 5, severity = "WARNING"
      advice = "The outbox holds a notice beside the result's place that says what is wrong with the file and what to do. The log line has execution_id and code."
    }
    executions_stuck = {
      title  = "a sealed execution cannot be finished", more_than = 0, minutes = 5, severity = "CRITICAL"
      advice = "It is tried again until it is done, for as long as its event is delivered: 24 hours. The log line's cause says what is in the way. Where another build of the engine sealed it, deploy that build."
    }
    deliveries_retried = {
      title  = "events are delivered again and again", more_than = 20, minutes = 15, severity = "WARNING"
      advice = "Some retries are normal: a table that waits for its plan, two deliveries at once. Many mean that Firestore, Cloud Storage or the configuration fails; the log line has the cause."
    }
    planner_errors = {
      title  = "the planner fails", more_than = 4, minutes = 5, severity = "ERROR"
      advice = "502 and 503 come from the model: check the quota of Vertex AI and the model's name. 500 is a defect: the log line has the cause under the request's id."
    }
    session_errors = {
      title  = "the session function fails", more_than = 4, minutes = 5, severity = "ERROR"
      advice = "A model that fails gives an honest answer with 200. 5xx means that Firestore or the configuration fails; the log line has the cause under the request's id."
    }
  }
}

resource "google_logging_metric" "this" {
  for_each = local.metrics

  name        = "${var.prefix}/${each.key}"
  description = each.value.description
  filter      = each.value.filter

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
    unit        = "1"
  }

  depends_on = [google_project_service.needed]
}

# An alert that comes before its metric is known is refused.
resource "time_sleep" "metrics" {
  create_duration = "30s"
  triggers        = { names = join(",", keys(local.metrics)) }

  depends_on = [google_logging_metric.this]
}

resource "google_monitoring_notification_channel" "email" {
  for_each = var.alert_emails

  display_name = "Planwright: ${each.value}"
  type         = "email"
  labels       = { email_address = each.value }
  user_labels  = local.labels

  depends_on = [google_project_service.needed]
}

resource "google_monitoring_alert_policy" "this" {
  for_each = local.alerts

  display_name          = "Planwright: ${each.value.title}"
  combiner              = "OR"
  severity              = each.value.severity
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
  user_labels           = local.labels

  conditions {
    display_name = local.metrics[each.key].description
    condition_threshold {
      filter          = "resource.type=\"cloud_run_revision\" metric.type=\"logging.googleapis.com/user/${google_logging_metric.this[each.key].name}\""
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.more_than
      duration        = "0s"

      aggregations {
        alignment_period     = "${each.value.minutes * 60}s"
        per_series_aligner   = "ALIGN_SUM"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = each.value.advice
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [time_sleep.metrics]
}
