import { Stack } from '@mantine/core'
import type { Observable } from '../../api/resources.ts'
import { ObservablePage } from '../../intelligence/observable/observable.tsx'
import { DetonateButton } from '../detonations/detonate-button.tsx'
import { DetonationsPanel } from '../detonations/detonations-panel.tsx'
import type { Sample } from '../detonations/sample.ts'
import { RunPlaybookButton } from '../playbooks/runs/run-button.tsx'
import { EnrichmentPanel } from './enrichment-panel.tsx'

/** The page of an observable, with what enrichers and sandboxes say about it. */
export const ObservableWithEnrichment = () => (
  <ObservablePage
    actions={({ id }) => <RunPlaybookButton size="sm" target={{ collection: 'observables', ids: [id], count: 1 }} />}
  >
    {(observable) => (
      <Stack gap="lg" key={observable.id}>
        <EnrichmentPanel observable={observable} />
        <Detonations observable={observable} />
      </Stack>
    )}
  </ObservablePage>
)

function Detonations({ observable }: { readonly observable: Observable }) {
  const sample = sampleOf(observable)
  if (!sample) return null
  return (
    <DetonationsPanel
      filter={{ [FILTERS[observable.type] ?? 'filter[observable]']: observable.value }}
      action={<DetonateButton sample={sample} button={{ size: 'compact-sm' }} />}
    />
  )
}

/** An address, or the hash of a file that may be stored here. */
function sampleOf({ id, type, display_value: name }: Observable): Sample | undefined {
  if (FILTERS[type] === undefined) return undefined
  return { via: 'observable', id, name, kind: type === 'uri' ? 'url' : 'file' }
}

/** The filters on detonations by the types of observables that can be detonated. */
const FILTERS: Readonly<Record<string, string>> = {
  uri: 'filter[url]',
  'hash-md5': 'filter[hashes.md5]',
  'hash-sha1': 'filter[hashes.sha1]',
  'hash-sha256': 'filter[hashes.sha256]',
}
