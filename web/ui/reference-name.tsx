import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf, oneQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'

interface ReferenceNameProps {
  /** Path of the collection, such as `users`. */
  readonly collection: string
  readonly url: string
  /** What one must be allowed to read its name. */
  readonly permission: string
  readonly field?: string
}

/** What the object of a reference is called; its id to who may not read it. */
export function ReferenceName({ collection, url, permission, field = 'name' }: ReferenceNameProps) {
  const may = useMay()
  const id = idOf(url)
  const { data } = useQuery({
    ...oneQuery<Readonly<Record<string, unknown>>>(`${collection}/${id}`),
    enabled: may(permission),
    staleTime: 300_000,
  })
  return (
    <Text component="span" inherit>
      {nameIn(data?.[field]) ?? id}
    </Text>
  )
}

const nameIn = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.join(' / ')
  return typeof value === 'string' ? value : undefined
}
