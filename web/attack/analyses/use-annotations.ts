import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { listQuery } from '../../api/lists.ts'
import { ANNOTATIONS, type Annotation, nodeIdOf } from './analysis.ts'

/** The largest page of the API, which is more than the live nodes of any matrix. */
const MAX_ANNOTATIONS = 2_000

/** The annotations of an analysis, by the id of their node; undefined while they are loading. */
export function useAnnotations(analysis: number) {
  const list = useQuery(
    listQuery<Annotation>(ANNOTATIONS, { 'filter[attack_analysis]': analysis, limit: MAX_ANNOTATIONS }),
  )
  const byNode = useMemo(
    () => list.data && new Map(list.data.data.map((each) => [nodeIdOf(each.attack_node), each])),
    [list.data],
  )
  return { list, byNode }
}

/** Writes the annotation of a node; an empty one is deleted. */
export async function writeAnnotation(
  analysis: number,
  node: string,
  known: Annotation | undefined,
  content: string,
): Promise<void> {
  if (known && content === '') await call('DELETE', `${ANNOTATIONS}/${known.id}`)
  else if (known) await call('PATCH', `${ANNOTATIONS}/${known.id}`, { data: { content } })
  else if (content !== '')
    await call('POST', ANNOTATIONS, { data: { attack_analysis: analysis, attack_node: node, content } })
  await invalidate(ANNOTATIONS)
}
