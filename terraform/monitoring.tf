# What somebody should look at: the functions' own log lines, and what Cloud Run
# and Pub/Sub measure. A test finds the messages in the code.

locals {
  services = { for name in concat(["planner", "executor", "session", "sweeper"], local.console ? ["pages"] : [], var.shop == null ? [] : ["shops"]) : name => "${var.prefix}-${name}" }

  logged = {
    for name, service in local.services :
    name => "resource.type=\"cloud_run_revision\" resource.labels.service_name=\"${service}\""
  }

  # Plans are carried out by the executor, and by the sweeper.
  executing = "resource.type=\"cloud_run_revision\" resource.labels.service_name=(\"${local.services.executor}\" OR \"${local.services.sweeper}\")"

  # Of the inbox's events, and of those that were given up.
  subscribed = {
    executor     = "resource.type=\"pubsub_subscription\" resource.label.subscription_id=\"${google_pubsub_subscription.executor.name}\""
    dead_letters = "resource.type=\"pubsub_subscription\" resource.label.subscription_id=\"${google_pubsub_subscription.dead_letters.name}\""
  }
  of_service = { for name, service in local.services : name => "resource.type=\"cloud_run_revision\" resource.label.service_name=\"${service}\"" }
  answered   = { for name, resource in local.of_service : name => "${resource} metric.type=\"run.googleapis.com/request_count\"" }
  latency    = { for name, resource in local.of_service : name => "${resource} metric.type=\"run.googleapis.com/request_latencies\"" }

  # What is counted for the dashboard. An alert with a threshold may name none of
  # these: a new log metric takes minutes until it is known.
  metrics = {
    executions_completed = {
      description = "Executions that completed"
      filter      = "${local.executing} jsonPayload.message=\"completed\""
    }
    executions_failed = {
      description = "Uploads that were refused for good"
      filter      = "${local.executing} jsonPayload.message=\"failed\""
    }
    executions_stuck = {
      description = "Sealed executions that could not be finished"
      filter      = "${local.executing} jsonPayload.alert=\"sealed_not_finished\""
    }
    executions_proposed = {
      description = "Results that wait for an approval or their time"
      filter      = "${local.executing} jsonPayload.message=\"proposed\""
    }
    proposals_approved = {
      description = "Proposals that were approved"
      filter      = "${local.logged.planner} jsonPayload.message=\"decided\" jsonPayload.action=\"approve\""
    }
    proposals_rejected = {
      description = "Proposals that were rejected"
      filter      = "${local.logged.planner} jsonPayload.message=\"decided\" jsonPayload.action=\"reject\""
    }
    plans_made = {
      description = "Plans made of an instruction"
      filter      = "${local.logged.planner} jsonPayload.message=\"plan stored\""
    }
    plans_without_model = {
      description = "Of these, plans made without the model"
      filter      = "${local.logged.planner} jsonPayload.message=\"plan stored\" jsonPayload.agreement=\"grammar\""
    }
    undos_asked = {
      description = "Undos that were asked for"
      filter      = "${local.logged.planner} jsonPayload.message=\"undo\""
    }
    inbox_unlisted = {
      description = "How old an upload can be that no sweep has looked at, in seconds"
      filter      = "${local.logged.sweeper} jsonPayload.unlisted_seconds>=0"
      value       = "EXTRACT(jsonPayload.unlisted_seconds)"
    }
  }

  # A log line that somebody should see, and what to do about it. A mail about
  # the same alert is sent once in an hour at most.
  log_alerts = merge(local.shop_alerts, {
    executions_failed = {
      title  = "an upload was refused", severity = "WARNING"
      filter = local.metrics.executions_failed.filter
      advice = "The outbox holds a notice beside the result's place that says what is wrong with the file and what to do. The log line has execution_id and code."
    }
    executions_stuck = {
      title  = "a sealed execution cannot be finished", severity = "CRITICAL"
      filter = local.metrics.executions_stuck.filter
      advice = "It is tried again until it is done, or until its event is a dead letter, some 16 hours after the upload. The log line's cause says what is in the way. Where another build of the engine sealed it, deploy that build."
    }
    tree_behind = {
      title  = "the signed tree is behind", severity = "ERROR"
      filter = "${local.executing} jsonPayload.alert=\"tree_behind\""
      advice = "Outcomes are recorded and not yet signed: executions go on, and planwright verify says what is missing. A store that did not answer for ten sweeps, or a tree that is not as it was signed; the log line's cause says which. After a restore of the database raise audit_epoch by one and run make deploy (terraform/README.md, Restore)."
    }
    inbox_unfinished = {
      title  = "the listing of the inbox does not end", severity = "WARNING"
      filter = "${local.logged.sweeper} jsonPayload.alert=\"inbox_unfinished\""
      advice = "For more than a day no sweep has come to the end of the inbox, so an upload whose event was lost may still wait. Each sweep goes on where the last one stopped. Set table_days.inbox, so that old tables are deleted, or look into the sweeper's log for what keeps it."
    }
    post_given_up = {
      title  = "the webhook was not told", severity = "ERROR"
      filter = "${local.logged.sweeper} jsonPayload.alert=\"post_given_up\""
      advice = "The webhook of notify_url_secret did not take a notice for two days, so nobody heard of that step of an execution. The log line names the execution and has the cause. The pages and planwright show what waits all the same."
    }
  })
  shop_alerts = var.shop == null ? {} : {
    posting_stuck = {
      title  = "a posting is stuck", severity = "ERROR"
      filter = "${try(local.logged.shops, "")} jsonPayload.alert=\"posting_stuck\""
      advice = "What a completed plan changed does not get into the shop, and nothing that comes after it does: the shop fails or cannot be reached, its keys are refused, or shop.url names another shop. The page of the change, planwright shop status and the log line's cause say which. It goes on by itself once that is mended."
    }
  }

  # More than this many in these minutes, for lasting seconds where that is said, of metrics that the platform keeps:
  # what went wrong may not have left a line of ours.
  metric_alerts = merge(local.console ? { pages_errors = local.pages_errors } : {}, local.full_alerts, {
    events_waiting = {
      title  = "an event waits", more_than = 3600, minutes = 5, aligner = "ALIGN_MAX", severity = "WARNING"
      filter = "${local.subscribed.executor} metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\""
      advice = "An upload has had no outcome for an hour. A table waits at most 15 minutes for its plan; anything longer means that the executor, Firestore or Cloud Storage fails. The executor's log has the cause; where it has none, see the alert on refused events."
    }
    events_refused = {
      title = "the executor cannot be called", more_than = 0, minutes = 15, aligner = "ALIGN_SUM", severity = "ERROR"
      # Many tables at once are turned away with 429 until instances are free.
      lasting = 1800
      filter  = "${local.subscribed.executor} metric.type=\"pubsub.googleapis.com/subscription/push_request_count\" metric.label.response_class=one_of(\"remote_server_4xx\", \"unreachable\", \"deadline_exceeded\", \"invalid\", \"internal\")"
      advice  = "Pub/Sub was turned away before any code of ours ran, so there is no log line. 403: the account PREFIX-trigger lost roles/run.invoker on the executor, run make deploy. 429: sizes.executor.max_instances are all busy. The events are kept and tried again."
    }
    executor_errors = {
      title = "the executor fails", more_than = 20, minutes = 15, aligner = "ALIGN_SUM", severity = "WARNING"
      # Tables that wait for their plans are delivered again for a quarter of an hour.
      lasting = 1800
      filter  = "${local.answered.executor} metric.label.response_code_class=\"5xx\""
      advice  = "Some are normal: a table that waits for its plan, two deliveries at once. Many mean that an instance runs out of memory, or that Firestore, Cloud Storage or the configuration fails; where the code got that far, the log line has the cause."
    }
    dead_letters = {
      title  = "an event was given up", more_than = 0, minutes = 5, aligner = "ALIGN_MAX", severity = "CRITICAL"
      filter = "${local.subscribed.dead_letters} metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\""
      advice = "A hundred deliveries over some 16 hours did not bring an upload to its outcome. `gcloud pubsub subscriptions pull PREFIX-dead-letters` shows which object; mend the cause, compose the object of itself (`gcloud storage objects compose gs://INBOX/EXECUTION_ID/products.csv gs://INBOX/EXECUTION_ID/products.csv`), which is a new upload that goes on where the old one stopped, and acknowledge the message with --auto-ack."
    }
    planner_errors = {
      title  = "the planner fails", more_than = 4, minutes = 5, aligner = "ALIGN_SUM", severity = "ERROR"
      filter = "${local.answered.planner} metric.label.response_code_class=\"5xx\""
      advice = "502 and 503 come from the model: check the quota of Vertex AI and the model's name. 500 is a defect: the log line has the cause under the request's id."
    }
    planner_slow = {
      title = "the planner is slow", more_than = 20000, minutes = 5, aligner = "ALIGN_PERCENTILE_95", severity = "WARNING"
      # One large preview is no reason to look.
      lasting = 900
      filter  = local.latency.planner
      advice  = "For a quarter of an hour one request in twenty took more than 20 seconds. took_ms of its log lines says which calls these are. POST /v1/plans waits for the model: see Vertex AI's latency and quota. All calls: Firestore is slow, or sizes.planner is too small."
    }
    session_slow = {
      title   = "the session function is slow", more_than = 60000, minutes = 5, aligner = "ALIGN_PERCENTILE_95", severity = "WARNING"
      lasting = 900
      filter  = local.latency.session
      advice  = "For a quarter of an hour one turn in twenty took more than a minute; its caller gets none after 110 seconds. A turn waits for the model: see Vertex AI's latency and quota, and took_ms of the log lines."
    }
    session_errors = {
      title  = "the session function fails", more_than = 4, minutes = 5, aligner = "ALIGN_SUM", severity = "ERROR"
      filter = "${local.answered.session} metric.label.response_code_class=\"5xx\""
      advice = "A model that fails gives an honest answer with 200. 5xx means that Firestore or the configuration fails; the log line has the cause under the request's id."
    }
  })
  # All instances that a function may have are busy: the next request waits, or is turned away with 429.
  full_alerts = { for name, size in var.sizes : "${name}_full" => {
    title = "the ${local.called[name]} has no instance left", more_than = size.max_instances - 1, minutes = 5, aligner = "ALIGN_MAX", severity = "WARNING"
    # Those of all revisions.
    reducer = "REDUCE_SUM"
    lasting = 900
    filter  = "${local.of_service[name]} metric.type=\"run.googleapis.com/container/instance_count\" metric.label.state=\"active\""
    advice  = "For a quarter of an hour all ${size.max_instances} instances were busy (sizes.${name}.max_instances), so that more requests wait or get 429. Where they are wanted, raise it, and the quota of Cloud Run's instances in the region; else look for who calls so often."
  } }
  called = { planner = "planner", executor = "executor", sweeper = "sweeper", session = "session function" }
  pages_errors = {
    title  = "the pages fail", more_than = 4, minutes = 5, aligner = "ALIGN_SUM", severity = "ERROR"
    filter = "${try(local.answered.pages, "")} metric.label.response_code_class=\"5xx\""
    advice = "What planner or session answer with 5xx the pages answer with too: see whether those fail. 503 from the first request on means that the pages' configuration fails. The log line of PREFIX-pages has the cause under the request's id, which the page shows."
  }
}

# A sweep that answers well, once a minute, is what everything that waits rests
# on: that none does is what to tell of.
resource "google_monitoring_alert_policy" "sweep_stopped" {
  display_name          = "Planwright: the sweep stopped"
  combiner              = "OR"
  severity              = "CRITICAL"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
  user_labels           = local.labels

  conditions {
    display_name = "the sweep stopped"

    condition_absent {
      filter   = "${local.answered.sweeper} metric.label.response_code_class=\"2xx\""
      duration = "900s"

      aggregations {
        alignment_period     = "60s"
        per_series_aligner   = "ALIGN_SUM"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = "For a quarter of an hour no sweep ended well: nothing that is approved, scheduled or to be undone is carried out, and nothing that was left in the middle goes on. `gcloud scheduler jobs list --location=${var.region}` shows whether the clock runs; the log of ${local.services.sweeper} has the cause of a sweep that failed. Uploads whose events come are carried out all the same."
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [time_sleep.services]
}

# A model that is not reached leaves plans that are right and questions that it
# would have answered: nobody would notice.
resource "google_monitoring_alert_policy" "planned_without_model" {
  count = var.gemini == null ? 0 : 1

  display_name          = "Planwright: planned without the model"
  combiner              = "OR"
  severity              = "WARNING"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
  user_labels           = local.labels

  conditions {
    display_name = "more than a fifth of an hour's plans"

    condition_prometheus_query_language {
      query = "sum(increase(${local.counted_as.plans_without_model}[1h])) / sum(increase(${local.counted_as.plans_made}[1h])) > 0.2"

      evaluation_interval       = "300s"
      disable_metric_validation = true # a new log metric is unknown for minutes
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = "Instructions that our own grammar understands are planned all the same, and carry the warning planned_without_model; all others are refused with 502, 503 or 504. The planner's log line \"planned without the model\" has the reason. credentials_refused: ${module.planner.member} lost roles/aiplatform.user. model_not_found: gemini.model is not served at gemini.location, or no longer. quota_used_up: ask for more of Vertex AI's quota."
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [time_sleep.services]
}

locals {
  # The names of the metrics in PromQL, which has no slash, dot or dash in one.
  counted_as = {
    for name, metric in google_logging_metric.this :
    name => "logging_googleapis_com:user_${replace(metric.name, "/[^a-zA-Z0-9_]/", "_")}"
  }
}

resource "google_logging_metric" "this" {
  for_each = local.metrics

  name        = "${var.prefix}/${each.key}"
  description = each.value.description
  filter      = each.value.filter

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = can(each.value.value) ? "DISTRIBUTION" : "INT64"
    unit        = "1"
  }
  value_extractor = try(each.value.value, null)

  depends_on = [time_sleep.services]
}

resource "google_monitoring_notification_channel" "email" {
  for_each = var.alert_emails

  display_name = "Planwright: ${each.value}"
  type         = "email"
  labels       = { email_address = each.value }
  user_labels  = local.labels

  depends_on = [time_sleep.services]
}

resource "google_monitoring_alert_policy" "this" {
  for_each = merge(local.log_alerts, local.metric_alerts)

  display_name          = "Planwright: ${each.value.title}"
  combiner              = "OR"
  severity              = each.value.severity
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
  user_labels           = local.labels

  conditions {
    display_name = each.value.title

    dynamic "condition_matched_log" {
      for_each = contains(keys(local.log_alerts), each.key) ? [each.value] : []
      content {
        filter           = condition_matched_log.value.filter
        label_extractors = startswith(each.key, "executions_") ? { execution_id = "EXTRACT(jsonPayload.execution_id)" } : {}
      }
    }

    dynamic "condition_threshold" {
      for_each = contains(keys(local.metric_alerts), each.key) ? [each.value] : []
      content {
        filter          = condition_threshold.value.filter
        comparison      = "COMPARISON_GT"
        threshold_value = condition_threshold.value.more_than
        duration        = "${try(condition_threshold.value.lasting, 0)}s"

        aggregations {
          alignment_period     = "${condition_threshold.value.minutes * 60}s"
          per_series_aligner   = condition_threshold.value.aligner
          cross_series_reducer = try(condition_threshold.value.reducer, condition_threshold.value.aligner == "ALIGN_SUM" ? "REDUCE_SUM" : "REDUCE_MAX")
        }
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = replace(each.value.advice, "PREFIX", var.prefix)
  }

  alert_strategy {
    auto_close = "86400s"

    # A condition on log lines needs one.
    dynamic "notification_rate_limit" {
      for_each = contains(keys(local.log_alerts), each.key) ? [true] : []
      content {
        period = "3600s"
      }
    }
  }

  depends_on = [time_sleep.services]
}
