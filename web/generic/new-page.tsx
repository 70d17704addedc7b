import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { CopyText } from '../ui/copy-text.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'
import type { CollectionModel } from './collections.ts'
import { labelOf } from './fields.ts'
import { FieldsForm } from './fields-form.tsx'

type CreatedObject = Readonly<Record<string, unknown>> & { readonly id: string | number }

/** The page that creates an object of any collection. */
export function NewPage({ model }: { readonly model: CollectionModel }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [shownOnce, setShownOnce] = useState<CreatedObject>()
  const noun = inSentence(model.title)
  const page = (id: CreatedObject['id']) => `/admin/${model.slug}/${id}`
  const done = (answer: { data: CreatedObject | readonly CreatedObject[] }) => {
    void queries.invalidateQueries({ queryKey: [model.path] })
    const made = [answer.data].flat().at(-1) as CreatedObject
    showToast(`${model.title} created`)
    if (secretsIn(made).length > 0) setShownOnce(made)
    else void navigate({ to: page(made.id) })
  }
  return (
    <>
      <PageHead
        title={`New ${noun}`}
        description={
          <>
            <Anchor component={Link} to={`/admin/${model.slug}`} inherit underline="always">
              {model.label}
            </Anchor>
            : {model.description}
          </>
        }
      />
      <Paper withBorder p="lg" maw={760}>
        {shownOnce ? (
          <ShownOnce made={shownOnce} onDone={() => void navigate({ to: page(shownOnce.id) })} />
        ) : (
          <FieldsForm
            fields={model.inputs}
            submit={`Create ${noun}`}
            send={(data) => call<{ data: CreatedObject | readonly CreatedObject[] }>('POST', model.path, { data })}
            onDone={done}
            onCancel={() => void navigate({ to: `/admin/${model.slug}` })}
          />
        )}
      </Paper>
    </>
  )
}

/** Secrets in a response, which are never shown again. */
const secretsIn = (made: CreatedObject): readonly [string, string][] =>
  Object.entries(made).filter(
    (entry): entry is [string, string] => entry[0].startsWith('new_') && typeof entry[1] === 'string',
  )

function ShownOnce({ made, onDone }: { readonly made: CreatedObject; readonly onDone: () => void }) {
  return (
    <Stack>
      <Text>Copy this value now. It will not be shown again.</Text>
      {secretsIn(made).map(([name, secret]) => (
        <CopyText key={name} label={labelOf(name)} text={secret} />
      ))}
      <Group>
        <Button onClick={onDone}>Continue</Button>
      </Group>
    </Stack>
  )
}
