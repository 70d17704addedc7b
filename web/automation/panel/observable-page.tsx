import { ObservablePage } from '../../intelligence/observable/observable.tsx'
import { EnrichmentPanel } from './enrichment-panel.tsx'

/** The page of an observable, with what enrichers say about it. */
export const ObservableWithEnrichment = () => (
  <ObservablePage>{(observable) => <EnrichmentPanel key={observable.id} observable={observable} />}</ObservablePage>
)
