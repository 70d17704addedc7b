import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { schemasQuery } from '../api/document.ts'
import type { FeedKind } from './feed-queries.ts'
import { transportsIn } from './transport-form.ts'

/** The transports of one kind of feed, from the OpenAPI document; empty until it is loaded. */
export function useTransports(kind: FeedKind) {
  const { data: schemas, error, isFetching, refetch } = useQuery(schemasQuery)
  const transports = useMemo(() => (schemas ? transportsIn(schemas, kind) : []), [schemas, kind])
  return { transports, error, isFetching, refetch }
}
