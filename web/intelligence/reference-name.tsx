import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf, oneQuery } from '../api/lists.ts'
import { selfQuery } from '../api/self.ts'
import { useMay } from '../api/session.ts'
import { unknownName } from '../api/unknown-name.ts'

interface ReferenceNameProps {
  /** Path of the collection, such as `users`. */
  readonly collection: string
  readonly url: string
  /** The permission needed to read its name. */
  readonly permission: string
  readonly field?: string
}

/** The name of a referenced object, or a placeholder for users who may not read it. */
export function ReferenceName({ collection, url, permission, field = 'name' }: ReferenceNameProps) {
  const mayRead = useMay()(permission)
  const { data: self } = useQuery({ ...selfQuery, enabled: collection === 'users' && !mayRead })
  const id = idOf(url)
  const { data, isPending } = useQuery({
    ...oneQuery<Readonly<Record<string, unknown>>>(`${collection}/${id}`),
    enabled: mayRead,
    staleTime: 300_000,
  })
  if (mayRead && isPending) return <Skeleton height={14} width={80} display="inline-block" />
  const own = self && String(self.id) === id ? self.username : undefined
  return (
    <Text component="span" inherit>
      {nameIn(data?.[field]) ?? own ?? unknownName(`${collection}/${id}`)}
    </Text>
  )
}

const nameIn = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.join(' / ')
  return typeof value === 'string' ? value : undefined
}
