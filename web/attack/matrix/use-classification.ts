import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { queries } from '../../api/queries.ts'
import type { Entity } from '../../api/resources.ts'
import { entityQuery, invalidateEntities } from '../../intelligence/entity/entity-queries.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { nodeIdOf } from '../analyses/analysis.ts'
import { MATRIX_PATHS } from './matrix-data.ts'

/** One change of what an entity is classified with. */
export interface Reclassification {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** What an entity is classified with, and how to change it. Changes are shown at once and taken back if the server rejects them. */
export function useClassification(id: string) {
  const entity = useQuery(entityQuery(id))
  const urls = entity.data?.meta.attacks
  // On top of what the server says: an answer that is older than a click would take it back on screen.
  const [pending, setPending] = useState<readonly Reclassification[]>([])
  const nodes = useMemo(
    () =>
      new Set(
        pending.reduce(
          changed,
          (urls ?? []).map((url) => nodeIdOf(String(url))),
        ),
      ),
    [urls, pending],
  )
  const running = useRef(0)

  async function write(change: Reclassification): Promise<void> {
    const { add, remove } = change
    running.current++
    setPending((before) => [...before, change])
    try {
      if (add.length > 0) await call('POST', `entities/${id}/attacks`, { data: add })
      for (const node of remove) await call('DELETE', `entities/${id}/attacks/${encodeURIComponent(node)}`)
      await queries.cancelQueries({ queryKey: entityQuery(id).queryKey })
      store(id, change)
    } finally {
      setPending((before) => before.filter((each) => each !== change))
      running.current--
      if (running.current === 0) void Promise.all([invalidateEntities(), invalidate(...MATRIX_PATHS)])
    }
  }

  /** Changes the classification, says so, and offers to undo it. */
  function change(wanted: Reclassification, message: string): void {
    const undo = () => write({ add: wanted.remove, remove: wanted.add })
    void write(wanted).then(() => showToast(message, undo), showErrorToast)
  }
  return { entity, nodes, change }
}

const changed = (nodes: readonly string[], { add, remove }: Reclassification): readonly string[] => [
  ...nodes.filter((node) => !remove.includes(node)),
  ...add,
]

function store(id: string, change: Reclassification): void {
  queries.setQueryData(entityQuery(id).queryKey, (before: Entity | undefined) => {
    if (!before) return before
    const nodes = (before.meta.attacks ?? []).map((url) => nodeIdOf(String(url)))
    return { ...before, meta: { ...before.meta, attacks: [...changed(nodes, change)] } }
  })
}
