import { Anchor, Badge, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { selfQuery } from '../api/self.ts'
import { unknownName } from '../api/unknown-name.ts'
import { TlpBadge } from '../ui/badges.tsx'
import { labelOf } from './fields.ts'
import { nameQuery, shortId } from './names.ts'
import { type Target, targetOf } from './references.ts'
import { useApi, useMayDo } from './use-api.ts'

/** The name of the object that an API URL points to, linked to its page. */
export function ReferenceName({ url }: { readonly url: string }) {
  const { collections, isPending } = useApi()
  if (isPending) return <Skeleton height={14} width={80} display="inline-block" />
  const target = targetOf(url, collections)
  if (!target)
    return (
      <Text component="span" inherit className="code">
        {url}
      </Text>
    )
  return <TargetName target={target} />
}

function TargetName({ target }: { readonly target: Target }) {
  const { model, id, attributes } = target
  const mayRead = useMayDo()(model.verbs.list)
  const name = useQuery({ ...nameQuery(model, id), enabled: mayRead })
  const { data: self } = useQuery({ ...selfQuery, enabled: model.slug === 'users' && !mayRead })
  const isSelf = model.slug === 'users' && String(self?.id) === id
  const unknown = isSelf ? (self?.username ?? '') : wordFor(model, id)
  if (!mayRead || name.data === null || name.error)
    return (
      <Text component="span" inherit c="dimmed">
        {unknown}
      </Text>
    )
  if (name.isPending) return <Skeleton height={14} width={80} display="inline-block" />
  return (
    <Group gap={6} component="span" display="inline-flex" wrap="nowrap">
      <Anchor component={Link} to={`/admin/${model.slug}/${id}`} inherit>
        {name.data ?? unknown}
      </Anchor>
      {Object.entries(attributes).map(([attribute, value]) => (
        <Attribute key={attribute} name={attribute} value={value} />
      ))}
    </Group>
  )
}

/** User numbers and source ids mean nothing to users who may not read them; other objects are identified by their id. */
const wordFor = ({ slug, title }: Target['model'], id: string): string =>
  slug === 'users' || slug === 'sources' ? unknownName(`${slug}/${id}`) : `${title} ${shortId(id)}`

function Attribute({ name, value }: { readonly name: string; readonly value: string }) {
  if (/tlp/.test(name) && value !== 'NONE') return <TlpBadge tlp={value} />
  return (
    <Badge variant="default" radius="xs" size="sm">
      {/tlp/.test(name) ? 'TLP: none' : labelOf(value)}
    </Badge>
  )
}
