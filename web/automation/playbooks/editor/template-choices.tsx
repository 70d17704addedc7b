import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { QueryField } from '../../../intelligence/datasets/query-field.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import type { Choice, Template } from '../playbook.ts'
import { ReferenceInput } from './reference-input.tsx'
import { pathOf, valueAt } from './steps.ts'

interface TemplateChoicesProps {
  readonly template: Template
  /** Called with what was chosen, by the paths of the choices. */
  readonly onChosen: (chosen: ReadonlyMap<string, unknown>) => void
}

/** Asks for what a ready-made playbook leaves open. Everything can be changed in the editor afterwards. */
export function TemplateChoices({ template, onChosen }: TemplateChoicesProps) {
  const navigate = useNavigate()
  const { title, explanation, choices, playbook } = template
  const [chosen, setChosen] = useState(
    () => new Map(choices.map(({ path }) => [path, valueAt(playbook, pathOf(path))])),
  )
  const isEmpty = choices.some(({ path }) => isNothing(chosen.get(path)))
  return (
    <>
      <PageLink to="/playbooks/templates" size="xs">
        Ready-made playbooks
      </PageLink>
      <PageHead title={title} />
      <Paper withBorder p="lg" maw={720}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            onChosen(chosen)
          }}
        >
          <Stack>
            <Text size="sm">{explanation}</Text>
            {choices.map((choice) => (
              <ChoiceInput
                key={choice.path}
                choice={choice}
                isList={Array.isArray(valueAt(playbook, pathOf(choice.path)))}
                value={chosen.get(choice.path)}
                onChange={(value) => setChosen(new Map(chosen).set(choice.path, value))}
              />
            ))}
            {isEmpty && (
              <Text size="sm" c="dimmed">
                You can leave something open and complete it in the editor.
              </Text>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => void navigate({ to: '/playbooks/templates' })}>
                Cancel
              </Button>
              <Button type="submit">Continue to the editor</Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  )
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

interface ChoiceInputProps {
  readonly choice: Choice
  readonly isList: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function ChoiceInput({ choice: { title, collection }, isList, value, onChange }: ChoiceInputProps) {
  if (collection === null)
    return <QueryField label={title} value={typeof value === 'string' ? value : ''} onChange={onChange} />
  return <ReferenceInput field={{ collection, isList }} label={title} value={value} onChange={onChange} />
}
