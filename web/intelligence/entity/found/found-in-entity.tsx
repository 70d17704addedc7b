import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { queries } from '../../../api/queries.ts'
import type { Entity } from '../../../api/resources.ts'
import { useMay } from '../../../api/session.ts'
import { showErrorToast, showToast } from '../../../ui/toasts.tsx'
import type { NewObservable, RelatedEntity } from '../entity-draft.ts'
import { entityQuery, invalidateEntities, isUnified } from '../entity-queries.ts'
import { relate } from '../relate.ts'
import { FoundInText } from './found-in-text.tsx'
import { type FoundTechnique, nodesIn, textOf, withNodes } from './text-analysis.ts'

interface Acceptance {
  readonly save: () => Promise<unknown>
  /** The message when it is saved. */
  readonly done: string
  readonly after?: () => void
}

/** What the title and description of a saved entity, such as an imported report, contain. Accepting saves it. */
export function FoundInEntity({ entity }: { readonly entity: Entity }) {
  const may = useMay()
  const { id, data, meta } = entity
  const [observables, setObservables] = useState<readonly NewObservable[]>([])
  const [related, setRelated] = useState<readonly string[]>([])
  const accepted = useMutation({
    mutationFn: ({ save }: Acceptance) => save(),
    onSuccess: async (_, { done, after }) => {
      after?.()
      await invalidateEntities()
      showToast(done)
    },
    onError: showErrorToast,
    // Two changes of the same list at once would lose one of them.
    scope: { id: `found in ${id}` },
  })
  if (!may('modify entities') || isUnified(entity)) return null
  const addObservables = (added: readonly NewObservable[]) =>
    accepted.mutate({
      save: () => call('POST', `entities/${id}/observables`, { data: added }),
      done: added.length === 1 ? 'Observable added' : `${added.length} observables added`,
      after: () => setObservables((before) => [...before, ...added]),
    })
  const addRelated = (other: RelatedEntity) =>
    accepted.mutate({
      save: () => relate(entity, { related: [other] }),
      done: 'Relationship added',
      after: () => setRelated((before) => [...before, other.id]),
    })
  const classify = (technique: FoundTechnique) =>
    accepted.mutate({
      save: async () => {
        const latest = await queries.fetchQuery({ ...entityQuery(id), staleTime: 0 })
        const attacks = withNodes(nodesIn(latest.meta), technique)
        await call('PATCH', `entities/${id}`, { data: { meta: { attacks } } })
      },
      done: `Classified with ${technique.technique}`,
    })
  return (
    <FoundInText
      text={textOf(data)}
      has={{ observables, related, nodes: nodesIn(meta) }}
      own={id}
      onObservables={addObservables}
      onRelate={addRelated}
      onClassify={classify}
    />
  )
}
