import { DashboardPage } from '../../analytics/dashboard.tsx'
import { WidgetViews } from '../../analytics/widget-views.ts'
import { EnricherWidget } from './enricher-widget.tsx'

const VIEWS = { enrichers: EnricherWidget }

/** A dashboard, with widgets about enrichers. */
export const DashboardWithEnrichment = () => (
  <WidgetViews value={VIEWS}>
    <DashboardPage />
  </WidgetViews>
)
