import { DashboardPage } from '../../analytics/dashboard.tsx'
import { WidgetViews } from '../../analytics/widget-views.ts'
import { EnricherWidget } from './enricher-widget.tsx'
import { MatrixWidget } from './matrix-widget.tsx'

const VIEWS = { enrichers: EnricherWidget, 'attack-matrix': MatrixWidget }

/** A dashboard, with widgets about enrichers and matrices. */
export const DashboardWithEnrichment = () => (
  <WidgetViews value={VIEWS}>
    <DashboardPage />
  </WidgetViews>
)
