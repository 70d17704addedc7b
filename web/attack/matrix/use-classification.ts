import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
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
  const nodes = useMemo(() => new Set((urls ?? []).map((url) => nodeIdOf(String(url)))), [urls])
  const running = useRef(0)

  async function write({ add, remove }: Reclassification): Promise<void> {
    running.current++
    await queries.cancelQueries({ queryKey: entityQuery(id).queryKey })
    show(id, { add, remove })
    try {
      if (add.length > 0) await call('POST', `entities/${id}/attacks`, { data: add })
      for (const node of remove) await call('DELETE', `entities/${id}/attacks/${encodeURIComponent(node)}`)
    } catch (error) {
      show(id, { add: remove, remove: add })
      throw error
    } finally {
      running.current--
      // An answer that is older than the last click would take it back on screen.
      if (running.current === 0) void Promise.all([invalidateEntities(), invalidate(...MATRIX_PATHS)])
    }
  }

  /** Changes the classification, says so, and offers to undo it. */
  function change(changed: Reclassification, message: string): void {
    const undo = () => write({ add: changed.remove, remove: changed.add })
    void write(changed).then(() => showToast(message, undo), showErrorToast)
  }
  return { entity, nodes, change }
}

function show(id: string, { add, remove }: Reclassification): void {
  queries.setQueryData(entityQuery(id).queryKey, (before: Entity | undefined) => {
    if (!before) return before
    const attacks = before.meta.attacks ?? []
    const left = attacks.filter((url) => !remove.includes(nodeIdOf(String(url))))
    return { ...before, meta: { ...before.meta, attacks: [...left, ...add] } }
  })
}
