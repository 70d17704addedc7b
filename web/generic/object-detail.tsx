import { Paper, Stack, Text, Tooltip } from '@mantine/core'
import { Indicator } from '../ui/indicator.tsx'
import { FieldValue } from './field-value.tsx'
import type { FieldModel } from './fields.ts'
import classes from './object-detail.module.css'

type Values = Readonly<Record<string, unknown>>

const STAMPS = ['id', 'created_at', 'created_by', 'last_updated_at', 'last_updated_by']

/** All fields of an object, followed by who created and changed it, and when. */
export function ObjectDetail({ shown, object }: { readonly shown: readonly FieldModel[]; readonly object: Values }) {
  // Secrets that were shown once, and form definitions, are left out.
  const own = shown.filter(
    ({ name }) => !STAMPS.includes(name) && !/^new_/.test(name) && !isShownOtherwise(name, object),
  )
  const stamps = shown.filter(({ name }) => STAMPS.includes(name))
  return (
    <Stack maw={980} gap="md">
      <Paper withBorder px="md" py={4}>
        <Rows fields={own} object={object} />
      </Paper>
      {stamps.length > 0 && (
        <Paper withBorder px="md" py={4} component="section" aria-label="Record">
          <Rows fields={stamps} object={object} />
        </Paper>
      )}
    </Stack>
  )
}

/** Observable values are defanged in one place. */
const isShownOtherwise = (name: string, object: Values): boolean => name === 'display_value' && 'value' in object

function Rows({ fields, object }: { readonly fields: readonly FieldModel[]; readonly object: Values }) {
  return (
    <dl className={classes.rows ?? ''}>
      {fields.map((field) => (
        <div key={field.name} className={classes.row ?? ''}>
          <dt>
            {field.description ? (
              <Tooltip label={field.description} multiline maw={420} openDelay={300} position="bottom-start">
                <Text component="span" inherit className={classes.described ?? ''}>
                  {field.label}
                </Text>
              </Tooltip>
            ) : (
              field.label
            )}
          </dt>
          <dd>
            {field.name === 'value' && 'display_value' in object ? (
              <Indicator type={String(object.type)} value={String(object.value)} />
            ) : (
              <FieldValue field={field} value={object[field.name]} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
