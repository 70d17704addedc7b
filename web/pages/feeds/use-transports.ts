import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { schemasQuery } from '../../api/document.ts'
import type { FeedKind } from '../../api/feeds.ts'
import { type TransportForm, transportsIn } from './transport-form.ts'

/** The transports of one kind of feeds; none before the description of the API is loaded. */
export function useTransports(kind: FeedKind): readonly TransportForm[] {
  const { data: schemas } = useQuery(schemasQuery)
  return useMemo(() => (schemas ? transportsIn(schemas, kind) : []), [schemas, kind])
}
