# One page that shows whether it works: what was executed, what was asked, how
# long it took and how many instances it took.

locals {
  # Titles with what their lines show.
  counted = {
    "Executions"        = ["executions_completed", "executions_failed", "executions_stuck"]
    "Deliveries, again" = ["deliveries_retried"]
    "Errors (5xx)"      = ["planner_errors", "session_errors"]
  }

  # Of Cloud Run's own metrics.
  measured = {
    "Requests by answer" = { metric = "request_count", aligner = "ALIGN_RATE", group = ["metric.label.response_code_class"] }
    "Latency, 95%"       = { metric = "request_latencies", aligner = "ALIGN_PERCENTILE_95", group = ["resource.label.service_name"] }
    "Instances"          = { metric = "container/instance_count", aligner = "ALIGN_MAX", group = ["resource.label.service_name"] }
    "Memory, 99%"        = { metric = "container/memory/utilizations", aligner = "ALIGN_PERCENTILE_99", group = ["resource.label.service_name"] }
  }

  charts = concat(
    [for title, names in local.counted : {
      title = title
      xyChart = { dataSets = [for name in names : {
        plotType       = "STACKED_BAR"
        legendTemplate = local.metrics[name].description
        timeSeriesQuery = { timeSeriesFilter = {
          filter      = "resource.type=\"cloud_run_revision\" metric.type=\"logging.googleapis.com/user/${google_logging_metric.this[name].name}\""
          aggregation = { alignmentPeriod = "300s", perSeriesAligner = "ALIGN_SUM", crossSeriesReducer = "REDUCE_SUM" }
        } }
      }] }
    }],
    [for title, of in local.measured : {
      title = title
      xyChart = { dataSets = [{
        plotType = "LINE"
        timeSeriesQuery = { timeSeriesFilter = {
          filter = "resource.type=\"cloud_run_revision\" metric.type=\"run.googleapis.com/${of.metric}\" resource.label.service_name=monitoring.regex.full_match(\"${var.prefix}-(${join("|", keys(local.services))})\")"
          aggregation = {
            alignmentPeriod    = "60s"
            perSeriesAligner   = of.aligner
            crossSeriesReducer = of.aligner == "ALIGN_RATE" ? "REDUCE_SUM" : "REDUCE_MAX"
            groupByFields      = of.group
          }
        } }
      }] }
    }],
  )
}

resource "google_monitoring_dashboard" "this" {
  dashboard_json = jsonencode({
    displayName = "Planwright (${var.prefix})"
    mosaicLayout = {
      columns = 12
      tiles = [for i, chart in local.charts : {
        xPos = i % 2 * 6, yPos = floor(i / 2) * 4, width = 6, height = 4, widget = chart
      }]
    }
  })

  depends_on = [time_sleep.metrics]
}
