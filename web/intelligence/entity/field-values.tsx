import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isTimeName } from '../../forms/field-kind.ts'
import { labelOf } from '../../forms/labels.ts'
import { isDocument, pathText } from '../../forms/paths.ts'
import { inUtc } from '../../forms/time-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './field-values.module.css'
import { isIdField } from './id-fields.ts'

/** A value with its label. */
export interface Labelled {
  readonly label: string
  readonly value: ReactNode
  /** Shown after the label, such as where the value comes from. */
  readonly mark?: ReactNode
}

/** A list of labelled values. */
export function LabelledValues({ values }: { readonly values: readonly Labelled[] }) {
  return (
    <dl className={classes.values}>
      {values.flatMap(({ label, value, mark }) => [
        <dt key={`${label} `}>
          {label}
          {mark}
        </dt>,
        <dd key={label}>{value}</dd>,
      ])}
    </dl>
  )
}

/** The fields of a document as labelled values; empty ones are omitted. */
export const labelledFields = (fields: readonly (readonly [string, unknown])[]): readonly Labelled[] =>
  fields
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => ({ label: labelOf(name), value: <FieldValue name={name} value={value} /> }))

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isDocument(value) && Object.keys(value).length === 0)

/** Formats any JSON value. */
export function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (isNothing(value))
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    )
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' && isIdField(name)) return <Identifier id={value} />
  if (typeof value === 'string') {
    return isTimeName(name) && inUtc(value) !== '' ? <Moment at={zoned(value)} /> : <PlainText text={value} />
  }
  if (Array.isArray(value)) return <ListValue name={name} items={value} />
  if (isDocument(value) && isTypedValue(name, value)) return <FieldValue name={name} value={value.value} />
  if (isDocument(value)) return <LabelledValues values={labelledFields(Object.entries(value))} />
  return String(value)
}

/** Whether a document is only a value, with the name of its field as its type: the confidence of an entity, for example. */
const isTypedValue = (name: string, value: Readonly<Record<string, unknown>>): boolean =>
  value.type === name && Object.keys(value).every((key) => key === 'type' || key === 'value')

/** The id of an object, unchanged: its namespace may be an address, but a defanged copy of it would not be a valid id. */
const Identifier = ({ id }: { readonly id: string }) => (
  <Text span inherit className="code" style={{ overflowWrap: 'anywhere' }}>
    {id}
  </Text>
)

/** Times without an offset are UTC, although browsers read them as local time. */
const zoned = (text: string): string => `${inUtc(text).slice(0, 16).replace(' ', 'T')}Z`

function ListValue({ name, items }: { readonly name: string; readonly items: readonly unknown[] }) {
  if (items.every((item) => typeof item === 'string' && item.length <= 60))
    return (
      <Group gap={4}>
        {[...new Set(items as readonly string[])].map((item) => (
          <Badge key={item} variant="default" radius="xs" tt="none" fw={400} maw="100%">
            {isIdField(name) ? item : <PlainText text={item} />}
          </Badge>
        ))}
      </Group>
    )
  return items.map((item, i) => (
    <div key={pathText([name, i])} className={classes.inner}>
      <FieldValue name={name} value={item} />
    </div>
  ))
}
