import { Anchor, Badge, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { TlpBadge } from '../ui/badges.tsx'
import { Moment } from '../ui/moment.tsx'
import { type FieldModel, labelOf } from './fields.ts'
import { ReferenceName } from './reference-name.tsx'
import { isSecretStored } from './values.ts'

interface FieldValueProps {
  readonly field: FieldModel
  readonly value: unknown
  /** Whether the value is shown in a table cell, where space is limited. */
  readonly isBrief?: boolean
}

/** How many list items are shown in a table, on a page, and after expanding. */
const MAX_ITEMS_IN_TABLE = 3
const MAX_ITEMS_ON_PAGE = 12
const MAX_ITEMS_EXPANDED = 200

const NOTHING = (
  <Text component="span" inherit c="dimmed">
    –
  </Text>
)

/** The value of a field, formatted according to its kind. */
export function FieldValue({ field, value, isBrief = false }: FieldValueProps) {
  if (value === null || value === undefined || value === '') return NOTHING
  switch (field.kind) {
    case 'secret':
      return (
        <Badge variant="default" radius="xs">
          {isSecretStored(value) ? 'Set' : 'Not set'}
        </Badge>
      )
    case 'boolean':
      return <Truth isTrue={value === true} />
    case 'number':
      return <>{Number.isInteger(value) ? String(value) : String(Number(Number(value).toPrecision(4)))}</>
    case 'time':
      return <Moment at={String(value)} />
    case 'choice':
      return /tlp/.test(field.name) ? <TlpBadge tlp={String(value)} /> : <Choice value={String(value)} />
    case 'reference':
      return <ReferenceName url={String(value)} />
    case 'references':
      return <References urls={value as readonly string[]} isBrief={isBrief} />
    case 'texts':
    case 'choices':
      return <Texts texts={(value as readonly unknown[]).map(String)} isBrief={isBrief} />
    case 'document':
      return <Document field={field} value={value as Readonly<Record<string, unknown>>} isBrief={isBrief} />
    case 'json':
      return <Json value={value} isBrief={isBrief} />
    default:
      return <PlainText text={String(value)} isBrief={isBrief} />
  }
}

const Truth = ({ isTrue }: { readonly isTrue: boolean }) =>
  isTrue ? (
    <Badge variant="light" radius="xs" color="teal">
      Yes
    </Badge>
  ) : (
    <Text component="span" inherit c="dimmed">
      No
    </Text>
  )

const Choice = ({ value }: { readonly value: string }) => (
  <Badge variant="default" radius="xs" tt="none" fw={500}>
    {/^[A-Z_]+$/.test(value) ? labelOf(value.toLowerCase()) : value}
  </Badge>
)

/** A text; addresses on this server become links, all others do not. */
function PlainText({ text, isBrief }: { readonly text: string; readonly isBrief: boolean }) {
  const path = /^https?:\/\/[^/]+(\/api\/v2\/.+)$/.exec(text)?.[1]
  if (path && /\/(download|losses|signature)$/.test(path))
    return (
      <Anchor href={path} download inherit>
        Download
      </Anchor>
    )
  if (path) return <ReferenceName url={text} />
  if (isBrief)
    return (
      <Text component="span" inherit lineClamp={1} title={text} display="block" maw={320} truncate>
        {text}
      </Text>
    )
  return (
    <Text inherit component="div" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}

function References({ urls, isBrief }: { readonly urls: readonly string[]; readonly isBrief: boolean }) {
  const [isWhole, setIsWhole] = useState(false)
  if (urls.length === 0) return NOTHING
  const most = isBrief ? MAX_ITEMS_IN_TABLE : isWhole ? MAX_ITEMS_EXPANDED : MAX_ITEMS_ON_PAGE
  const rest = urls.length - most
  return (
    <Group gap={isBrief ? 'xs' : 'sm'}>
      {urls.slice(0, most).map((url) => (
        <ReferenceName key={url} url={url} />
      ))}
      {rest > 0 && (isBrief || isWhole) && <More count={rest} />}
      {rest > 0 && !isBrief && !isWhole && (
        <Button size="compact-xs" variant="subtle" onClick={() => setIsWhole(true)}>
          Show {Math.min(rest, MAX_ITEMS_EXPANDED - MAX_ITEMS_ON_PAGE).toLocaleString('en')} more
        </Button>
      )}
    </Group>
  )
}

const More = ({ count }: { readonly count: number }) => (
  <Text component="span" inherit c="dimmed">
    {count.toLocaleString('en')} more not shown
  </Text>
)

function Texts({ texts, isBrief }: { readonly texts: readonly string[]; readonly isBrief: boolean }) {
  if (texts.length === 0) return NOTHING
  if (isBrief) return <PlainText text={texts.join(', ')} isBrief />
  if (texts.some((text) => text.length > 60))
    return (
      <List size="sm">
        {texts.slice(0, MAX_ITEMS_EXPANDED).map((text) => (
          <List.Item key={text}>
            <PlainText text={text} isBrief={false} />
          </List.Item>
        ))}
      </List>
    )
  return (
    <Group gap={6}>
      {texts.slice(0, MAX_ITEMS_EXPANDED).map((text) => (
        <Badge key={text} variant="default" radius="xs" tt="none" fw={500}>
          {text}
        </Badge>
      ))}
      {texts.length > MAX_ITEMS_EXPANDED && <More count={texts.length - MAX_ITEMS_EXPANDED} />}
    </Group>
  )
}

interface DocumentProps {
  readonly field: FieldModel
  readonly value: Readonly<Record<string, unknown>>
  readonly isBrief: boolean
}

/** The non-empty fields of a document; in a table only their values. */
function Document({ field, value, isBrief }: DocumentProps) {
  const filledFields = (field.fields ?? []).filter(({ name }) => value[name] !== null && value[name] !== undefined)
  if (filledFields.length === 0) return NOTHING
  if (isBrief) {
    const texts = filledFields
      .map(({ name }) => value[name])
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    return <PlainText text={texts.join(', ')} isBrief />
  }
  return (
    <Stack gap={4}>
      {filledFields.map((inner) => (
        <Group key={inner.name} gap="xs" align="flex-start" wrap="nowrap">
          <Text component="span" inherit c="dimmed" style={{ flex: 'none' }}>
            {inner.label}:
          </Text>
          <FieldValue field={inner} value={value[inner.name]} />
        </Group>
      ))}
    </Stack>
  )
}

function Json({ value, isBrief }: { readonly value: unknown; readonly isBrief: boolean }) {
  if (isBrief) return <PlainText text={JSON.stringify(value)} isBrief />
  return (
    <Code block style={{ maxHeight: 400, overflow: 'auto' }} tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  )
}
