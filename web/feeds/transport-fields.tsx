import {
  Collapse,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type TransportField, type TransportForm, textOf } from './transport-form.ts'

interface TransportFieldsProps {
  readonly transport: Pick<TransportForm, 'fields'>
  /** The property of the request that contains the fields. */
  readonly property?: string
  readonly texts: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (name: string, text: string) => void
}

/** The inputs for the configuration of a transport. */
export function TransportFields({
  transport,
  property = 'transport_configuration',
  texts,
  faults,
  onChange,
}: TransportFieldsProps) {
  const isFaulty = ({ name }: TransportField) => faults[`${property}.${name}`] !== undefined
  const rare = transport.fields.filter(({ isRare }) => isRare)
  const [isOpen, { toggle }] = useDisclosure(rare.some(isFaulty))
  const draw = (field: TransportField) => (
    <Input
      key={field.name}
      field={field}
      text={texts[field.name] ?? textOf(field, undefined)}
      error={faults[`${property}.${field.name}`]}
      onChange={(text) => onChange(field.name, text)}
    />
  )
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>{transport.fields.filter(({ isRare }) => !isRare).map(draw)}</SimpleGrid>
      {rare.length > 0 && (
        <>
          <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? 'Fewer settings' : 'More settings'}
          </UnstyledButton>
          <Collapse expanded={isOpen || rare.some(isFaulty)}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>{rare.map(draw)}</SimpleGrid>
          </Collapse>
        </>
      )}
    </Stack>
  )
}

/** How to enter several values in one input. */
const LINES: Readonly<Partial<Record<TransportField['kind'], string>>> = {
  list: 'One per line.',
  pairs: 'One per line, as Name: value.',
}

interface InputProps {
  readonly field: TransportField
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

function Input({ field: { label, kind, help, isRequired = false, choices = [] }, text, error, onChange }: InputProps) {
  const shared = { label, error, description: help, required: isRequired }
  const typed = {
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={label}
          description={help}
          checked={text === 'true'}
          onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
        />
      )
    case 'number':
      return <NumberInput {...shared} value={text} onChange={(value) => onChange(String(value))} />
    case 'choice':
      return (
        <Select
          {...shared}
          data={[...choices]}
          value={text}
          allowDeselect={false}
          onChange={(value) => onChange(value ?? '')}
        />
      )
    case 'secret':
      return <PasswordInput {...shared} autoComplete="new-password" {...typed} />
    case 'text':
      return <TextInput {...shared} {...typed} />
    default:
      return (
        <Textarea
          {...shared}
          description={[help, LINES[kind]].filter(Boolean).join(' ')}
          autosize
          minRows={2}
          maxRows={8}
          {...typed}
        />
      )
  }
}
