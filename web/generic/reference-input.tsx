import { ActionIcon, Group, Input, Select, Stack, Table } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkAttribute } from '../api/schema.ts'
import { inSentence } from '../ui/in-sentence.ts'
import type { CollectionModel } from './collections.ts'
import { slugOf } from './collections.ts'
import { type FieldModel, labelOf } from './fields.ts'
import { nameQuery } from './names.ts'
import { optionsQuery, pathOf } from './options.ts'
import { ReferenceName } from './reference-name.tsx'
import { targetOf, withAttribute } from './references.ts'
import { useApi, useMayDo } from './use-api.ts'

interface ReferenceInputProps<T> {
  readonly field: FieldModel
  readonly value: T
  readonly onChange: (value: T) => void
  readonly error?: string | undefined
  readonly isDisabled?: boolean
}

/** How many options are listed at once; typing narrows them. */
const MAX_LISTED_OPTIONS = 100

/** Selects one object of another collection by name. */
export function ReferenceInput({ field, value, onChange, error, isDisabled }: ReferenceInputProps<string | null>) {
  const { collections } = useApi()
  const model = collections.get(slugOf(field.collection ?? ''))
  if (!model) return null
  const chosen = value === null ? undefined : targetOf(value, collections)
  return (
    <OneOf
      model={model}
      label={field.label}
      description={field.description}
      isRequired={field.isRequired}
      error={error}
      isDisabled={isDisabled ?? false}
      chosen={chosen ? pathOf(model, chosen.id) : value}
      isClearable={!field.isRequired}
      onChoose={onChange}
    />
  )
}

interface OneOfProps {
  readonly model: CollectionModel
  readonly label: string
  /** A placeholder that replaces the label. */
  readonly hint?: string
  readonly description?: string | undefined
  readonly isRequired?: boolean
  readonly isClearable?: boolean
  readonly isDisabled?: boolean
  readonly error?: string | undefined
  readonly chosen: string | null
  readonly without?: ReadonlySet<string>
  readonly onChoose: (path: string | null) => void
}

function OneOf({ model, chosen, onChoose, without, ...rest }: OneOfProps) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed, 200)
  const mayRead = useMayDo()(model.verbs.list)
  const options = useQuery({ ...optionsQuery(model, asked), enabled: mayRead })
  const id = chosen?.slice(chosen.lastIndexOf('/') + 1) ?? ''
  const name = useQuery({ ...nameQuery(model, id), enabled: mayRead && chosen !== null })
  const found = (options.data ?? []).filter(({ value }) => !without?.has(value))
  const isListed = chosen === null || found.some(({ value }) => value === chosen)
  const data = isListed ? found : [{ value: chosen, label: name.data ?? `${model.title} ${id}` }, ...found]
  return (
    <Select
      {...(rest.hint ? { 'aria-label': rest.label } : { label: rest.label })}
      description={rest.description}
      withAsterisk={rest.isRequired ?? false}
      error={rest.error}
      disabled={(rest.isDisabled ?? false) || !mayRead}
      placeholder={
        mayRead ? (rest.hint ?? 'Type to search') : `You do not have permission to read ${inSentence(model.label)}`
      }
      searchable
      clearable={rest.isClearable ?? false}
      limit={MAX_LISTED_OPTIONS}
      data={data}
      value={chosen}
      onChange={onChoose}
      onSearchChange={setTyped}
      nothingFoundMessage={options.isPending ? 'Loading…' : 'No matches'}
      {...(model.isSearchable && { filter: ({ options: all }) => all })}
    />
  )
}

/** Selects several objects of another collection, each with the attributes of its link. */
export function ReferencesInput(props: ReferenceInputProps<readonly string[]>) {
  const { field, value, onChange, error, isDisabled } = props
  const { collections } = useApi()
  const model = collections.get(slugOf(field.collection ?? ''))
  if (!model) return null
  const { attribute } = field
  const paths = new Set(
    value.map((url) => pathOf(model, targetOf(url, collections)?.id ?? url.slice(url.lastIndexOf('/') + 1))),
  )
  const add = (path: string | null) =>
    path && onChange([...value, attribute ? withAttribute(path, attribute.name, attribute.default) : path])
  return (
    <Input.Wrapper
      label={field.label}
      description={field.description}
      error={error}
      withAsterisk={field.isRequired}
      labelElement="div"
      role="group"
      aria-label={field.label}
    >
      <Stack gap={6} mt={4}>
        {value.length > 0 && <Chosen {...props} isDisabled={isDisabled ?? false} />}
        {!isDisabled && (
          <OneOf
            key={value.length}
            model={model}
            label={`Add to ${inSentence(field.label)}`}
            hint={value.length === 0 ? 'Type to add' : 'Type to add more'}
            chosen={null}
            without={paths}
            onChoose={add}
          />
        )}
      </Stack>
    </Input.Wrapper>
  )
}

function Chosen({ field, value, onChange, isDisabled }: ReferenceInputProps<readonly string[]>) {
  const { attribute } = field
  const replace = (index: number, url: string) => onChange(value.map((each, i) => (i === index ? url : each)))
  return (
    <Table withTableBorder verticalSpacing={4}>
      <Table.Tbody>
        {value.map((url, index) => (
          <Table.Tr key={url.replace(/\?.*/, '')}>
            <Table.Td>
              <ReferenceName url={url.replace(/\?.*/, '')} />
            </Table.Td>
            {attribute && (
              <Table.Td w={170}>
                <AttributeSelect
                  attribute={attribute}
                  url={url}
                  isDisabled={isDisabled ?? false}
                  onChange={(next) => replace(index, next)}
                />
              </Table.Td>
            )}
            {!isDisabled && (
              <Table.Td w={44}>
                <Group justify="flex-end">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove item ${index + 1} from ${inSentence(field.label)}`}
                    onClick={() => onChange(value.filter((_, i) => i !== index))}
                  >
                    ✕
                  </ActionIcon>
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface AttributeSelectProps {
  readonly attribute: LinkAttribute
  readonly url: string
  readonly isDisabled: boolean
  readonly onChange: (url: string) => void
}

function AttributeSelect({ attribute, url, isDisabled, onChange }: AttributeSelectProps) {
  const given = new URL(url, 'http://corvus.invalid').searchParams.get(attribute.name) ?? attribute.default
  return (
    <Select
      size="xs"
      aria-label={labelOf(attribute.name)}
      data={attribute.values}
      value={given}
      allowDeselect={false}
      disabled={isDisabled}
      onChange={(value) => value && onChange(withAttribute(url, attribute.name, value))}
    />
  )
}
