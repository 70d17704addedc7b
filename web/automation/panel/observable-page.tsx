import { ObservablePage } from '../../intelligence/observable/observable.tsx'
import { RunPlaybookButton } from '../playbooks/runs/run-button.tsx'
import { EnrichmentPanel } from './enrichment-panel.tsx'

/** The page of an observable, with what enrichers say about it. */
export const ObservableWithEnrichment = () => (
  <ObservablePage
    actions={({ id }) => <RunPlaybookButton size="sm" target={{ collection: 'observables', ids: [id], count: 1 }} />}
  >
    {(observable) => <EnrichmentPanel key={observable.id} observable={observable} />}
  </ObservablePage>
)
