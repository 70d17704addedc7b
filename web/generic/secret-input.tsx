import { Button, Group, PasswordInput, Textarea } from '@mantine/core'
import { inSentence } from '../ui/in-sentence.ts'
import type { FieldModel } from './fields.ts'
import { isSecretStored } from './values.ts'

interface SecretInputProps {
  readonly field: FieldModel
  readonly value: unknown
  readonly stored?: unknown
  readonly onChange: (value: unknown) => void
  readonly faults: Readonly<Record<string, string>>
  readonly path: string
  readonly isDisabled: boolean
}

/** A write-only secret: shows whether one is set, replaces it or removes it. */
export function SecretInput({ field, value, stored, onChange, faults, path, isDisabled }: SecretInputProps) {
  const hasOne = isSecretStored(stored)
  const isRemoved = value === null
  const placeholder = isRemoved ? 'Will be removed on save' : hasOne ? 'Set. Type to replace it.' : 'Not set'
  const common = {
    label: field.label,
    description: field.description,
    withAsterisk: field.isRequired,
    error: faults[path],
    disabled: isDisabled,
    placeholder,
    autoComplete: 'off',
    value: isRemoved ? '' : String(value ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  return (
    <div>
      {/^(key|certificate)$/.test(field.name) ? (
        <Textarea {...common} autosize minRows={2} maxRows={10} classNames={{ input: 'code' }} />
      ) : (
        <PasswordInput {...common} autoComplete="new-password" />
      )}
      {hasOne && !isDisabled && (
        <Group mt={4}>
          <Button
            size="compact-xs"
            variant="subtle"
            color={isRemoved ? 'gray' : 'red'}
            onClick={() => onChange(isRemoved ? '' : null)}
          >
            {isRemoved ? `Keep ${inSentence(field.label)}` : `Remove ${inSentence(field.label)}`}
          </Button>
        </Group>
      )}
    </div>
  )
}
