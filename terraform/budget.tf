# An alert on what the project costs. It stops nothing: sizes does.

resource "google_billing_budget" "this" {
  count = var.budget == null ? 0 : 1

  billing_account = var.budget.billing_account
  display_name    = "Planwright (${var.prefix})"

  budget_filter {
    projects = ["projects/${data.google_project.this.number}"]
  }

  amount {
    specified_amount {
      currency_code = var.budget.currency
      units         = tostring(var.budget.monthly)
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1]
    content {
      threshold_percent = threshold_rules.value
    }
  }
  threshold_rules {
    threshold_percent = 1
    spend_basis       = "FORECASTED_SPEND"
  }

  # Without addresses, the billing account's administrators hear of it.
  dynamic "all_updates_rule" {
    for_each = length(var.alert_emails) > 0 ? [true] : []
    content {
      monitoring_notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
    }
  }

  depends_on = [time_sleep.services]
}
