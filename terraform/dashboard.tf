# One page that shows whether it works: what was executed, what was asked, how
# long it took and how many instances it took.

locals {
  # Titles with what their lines show.
  counted = {
    "Executions"          = ["executions_completed", "executions_failed", "executions_stuck"]
    "Plans"               = ["plans_made", "plans_without_model"]
    "Proposals and undos" = ["executions_proposed", "proposals_approved", "proposals_rejected", "undos_asked"]
  }

  # Of Cloud Run's and Pub/Sub's own metrics.
  runs   = "resource.type=\"cloud_run_revision\" resource.label.service_name=monitoring.regex.full_match(\"${var.prefix}-(${join("|", keys(local.services))})\") metric.type=\"run.googleapis.com/"
  pushes = "${local.subscribed.executor} metric.type=\"pubsub.googleapis.com/subscription/"
  measured = {
    "Requests by answer"     = { filter = "${local.runs}request_count\"", aligner = "ALIGN_RATE", group = ["metric.label.response_code_class"] }
    "Errors (5xx)"           = { filter = "${local.runs}request_count\" metric.label.response_code_class=\"5xx\"", aligner = "ALIGN_RATE", group = ["resource.label.service_name"] }
    "Events by answer"       = { filter = "${local.pushes}push_request_count\"", aligner = "ALIGN_RATE", group = ["metric.label.response_class"] }
    "Sweeps by answer"       = { filter = local.answered.sweeper, aligner = "ALIGN_RATE", group = ["metric.label.response_code_class"] }
    "Oldest unlisted upload" = { filter = local.unlisted, aligner = "ALIGN_PERCENTILE_99", group = [] }
    "Oldest event waiting"   = { filter = "${local.pushes}oldest_unacked_message_age\"", aligner = "ALIGN_MAX", group = [] }
    "Latency, 95%"           = { filter = "${local.runs}request_latencies\"", aligner = "ALIGN_PERCENTILE_95", group = ["resource.label.service_name"] }
    "Instances"              = { filter = "${local.runs}container/instance_count\"", aligner = "ALIGN_MAX", group = ["resource.label.service_name"] }
    "Memory, 99%"            = { filter = "${local.runs}container/memory/utilizations\"", aligner = "ALIGN_PERCENTILE_99", group = ["resource.label.service_name"] }
  }

  unlisted = "resource.type=\"cloud_run_revision\" metric.type=\"logging.googleapis.com/user/${google_logging_metric.this["inbox_unlisted"].name}\""

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
          filter = of.filter
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

  depends_on = [time_sleep.services]
}
