import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChosenMenu } from '../../ai/summaries/chosen-menu.tsx'
import type { Chosen } from '../../search/chosen.ts'
import { Search } from '../../search/search.tsx'
import { selectedQueries } from '../../search/selection.ts'
import { DetonateEntities } from '../detonations/detonate-entities-button.tsx'
import { RunPlaybookButton } from '../playbooks/runs/run-button.tsx'
import type { RunTarget } from '../playbooks/runs/run-queries.ts'
import { EnrichDialog, useMayEnrich } from './enrich-dialog.tsx'
import type { EnrichTarget } from './enrich-target.ts'

/** The search page, with actions that look up, detonate and write about the selected results, and that run playbooks. */
export const SearchWithEnrichment = () => (
  <Search
    actions={(chosen) => (
      <>
        <ChosenMenu chosen={chosen} />
        <EnrichChosen chosen={chosen} />
        <DetonateChosen chosen={chosen} />
        <RunPlaybookButton target={runTargetOf(chosen)} />
      </>
    )}
  />
)

function EnrichChosen({ chosen }: { readonly chosen: Chosen }) {
  const mayEnrich = useMayEnrich()
  const [isOpen, setIsOpen] = useState(false)
  if (!mayEnrich) return null
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        Enrich
      </Button>
      {isOpen && <EnrichDialog title={titleOf(chosen)} target={targetOf(chosen)} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function DetonateChosen({ chosen }: { readonly chosen: Chosen }) {
  if (chosen.searched === 'observables') return null
  const { selection, whole, count } = chosen
  return (
    <DetonateEntities
      title={`Detonate the samples of ${count === 1 ? '1 entity' : `${count.toLocaleString('en')} entities`}`}
      queries={selectedQueries(selection, whole)}
      button={{ size: 'compact-sm' }}
    />
  )
}

/** Selected entities by id, or the query if all are selected. */
function targetOf(chosen: Chosen): EnrichTarget {
  if (chosen.searched === 'observables') return { observables: chosen.ids }
  const { selection, whole } = chosen
  const [query = '*:*'] = selection.isAll ? selectedQueries(selection, whole) : []
  return selection.isAll ? { query } : { entities: [...selection.ids] }
}

function runTargetOf(chosen: Chosen): RunTarget {
  if (chosen.searched === 'observables') return { collection: 'observables', ids: chosen.ids, count: chosen.ids.length }
  const { selection, whole, count } = chosen
  const [query = '*:*'] = selection.isAll ? selectedQueries(selection, whole) : []
  return { collection: 'entities', count, ...(selection.isAll ? { query } : { ids: [...selection.ids] }) }
}

function titleOf(chosen: Chosen): string {
  if (chosen.searched === 'observables')
    return chosen.ids.length === 1
      ? 'Enrich 1 observable'
      : `Enrich ${chosen.ids.length.toLocaleString('en')} observables`
  return `Enrich the observables of ${chosen.count === 1 ? '1 entity' : `${chosen.count.toLocaleString('en')} entities`}`
}
