import { Badge, CloseButton, Group, Input, MultiSelect, Select, TagsInput } from '@mantine/core'
import { type NamedCollection, useNames } from '../../../api/names.ts'
import { useMay } from '../../../api/session.ts'
import { unknownName } from '../../../api/unknown-name.ts'
import { NodesField } from '../../../attack/nodes-field.tsx'
import { EntityPicker } from '../../../intelligence/entity-picker.tsx'
import { EntityName } from '../../../intelligence/named-entity.tsx'
import { useTaxonomyPaths } from '../../../intelligence/taxonomies/taxonomy-paths.ts'
import { useNamedEntities } from '../../../intelligence/use-named-entities.ts'
import { inSentence } from '../../../ui/in-sentence.ts'
import { CHOSEN_BY_NAME } from '../names.ts'
import { inputValues, nameOfInput, type ReferenceField, referenceOf } from '../references.ts'

interface ReferenceInputProps {
  readonly field: ReferenceField
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** Chooses the objects that a parameter of a step refers to. */
export function ReferenceInput(props: ReferenceInputProps) {
  const mayReadAttack = useMay()('read attack')
  const { collection } = props.field
  const named = CHOSEN_BY_NAME.find((each) => each === collection)
  if (named) return <Named {...props} of={named} />
  if (collection === 'taxonomies') return <Taxonomies {...props} />
  if (collection === 'attacks' && mayReadAttack) return <Nodes {...props} />
  return collection === 'entities' ? <Reports {...props} /> : <Ids {...props} />
}

function Named({ of, ...props }: ReferenceInputProps & { readonly of: NamedCollection }) {
  return <Choice {...props} names={useNames(of)} />
}

const Taxonomies = (props: ReferenceInputProps) => <Choice {...props} names={useTaxonomyPaths()} />

interface ChoiceProps extends ReferenceInputProps {
  readonly names: ReadonlyMap<string, string>
}

/** One object or several of a collection that is small enough to be listed. */
function Choice({ field, label, description, error, isRequired = false, value, onChange, names }: ChoiceProps) {
  const chosen = inputValues(value)
  const nameOf = (id: string) => nameOfInput(id) ?? names.get(id) ?? unknownName(`${field.collection}/${id}`)
  const all = new Map([...names, ...chosen.map((id) => [id, nameOf(id)] as const)])
  const common = {
    label,
    description,
    error,
    withAsterisk: isRequired,
    data: [...all].map(([id, name]) => ({ value: id, label: name })).sort((a, b) => a.label.localeCompare(b.label)),
    placeholder: chosen.length === 0 ? 'Choose' : '',
    searchable: true,
    clearable: true,
    limit: 200,
    openOnFocus: false,
    nothingFoundMessage:
      names.size === 0 ? `There are no ${field.collection} yet, or you may not see them.` : 'No matches',
    clearButtonProps: { 'aria-label': `Clear ${inSentence(label)}` },
  }
  if (field.isList)
    return (
      <MultiSelect
        {...common}
        hidePickedOptions
        value={[...chosen]}
        onChange={(ids) => onChange(ids.map(referenceOf))}
      />
    )
  return (
    <Select {...common} value={chosen[0] ?? null} onChange={(id) => onChange(id === null ? null : referenceOf(id))} />
  )
}

/** Reports, found by their titles. */
function Reports({ label, description, error, value, onChange }: ReferenceInputProps) {
  const chosen = inputValues(value)
  const known = useNamedEntities(chosen.map((id) => `entities/${id}`))
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      {chosen.map((id) => {
        const entity = known?.get(id)
        return (
          <Group key={id} gap={4} mt={4} wrap="nowrap">
            {entity ? <EntityName entity={entity} /> : <Badge variant="default">{id.slice(0, 8)}</Badge>}
            <CloseButton
              size="sm"
              aria-label={`Remove ${entity?.data.title ?? 'report'}`}
              onClick={() => onChange(chosen.filter((each) => each !== id))}
            />
          </Group>
        )
      })}
      <div style={{ marginTop: 4 }}>
        <EntityPicker
          label={`Add to ${inSentence(label)}`}
          chosen={chosen}
          onPick={({ id }) => onChange([...chosen, id])}
        />
      </div>
    </Input.Wrapper>
  )
}

const Nodes = ({ label, description, error, value, onChange }: ReferenceInputProps) => (
  <NodesField
    {...{ label, description, error }}
    value={inputValues(value)}
    onChange={(ids) => onChange(ids.map(referenceOf))}
  />
)

/** Attack nodes for users who cannot read them, and other objects that people know by their ids. */
function Ids({ label, description, error, value, onChange }: ReferenceInputProps) {
  return (
    <TagsInput
      label={label}
      description={description}
      error={error}
      placeholder="TA0001:T1566"
      value={[...inputValues(value)]}
      onChange={(ids) => onChange(ids.map(referenceOf))}
      acceptValueOnBlur
      openOnFocus={false}
      clearable
    />
  )
}
