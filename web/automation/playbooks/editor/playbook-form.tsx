import { Button, Fieldset, Group, Skeleton, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Playbook } from '../../../api/resources.ts'
import { faultsInside, faultText } from '../../../forms/field-faults.ts'
import { Faults } from '../../../ui/faults.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LoadFault } from '../../../ui/load-fault.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useUrlState } from '../../../ui/use-url-state.ts'
import { EditRulePage, NewRulePage, RuleEditor } from '../../rule-editor.tsx'
import { saveAsFile } from '../export-file.ts'
import { useReferenceNames } from '../names.ts'
import { PLAYBOOKS, type StepKind } from '../playbook.ts'
import { stepKindsQuery, templatesQuery } from '../playbook-queries.ts'
import { draftOf, draftOfTemplate, NEW_DRAFT, type PlaybookDraft, readDraft } from './draft.ts'
import { StepList } from './step-list.tsx'
import { TemplateChoices } from './template-choices.tsx'
import { Trial } from './trial.tsx'
import { TriggerFields } from './trigger-fields.tsx'
import { usePlaybookForm } from './use-playbook-form.ts'

/** The page for a new playbook, empty or from a template. */
export const NewPlaybook = () => <NewRulePage kind={PLAYBOOKS} form={FromTemplate} />

/** The page that changes a playbook. */
export const EditPlaybook = () => <EditRulePage<Playbook> kind={PLAYBOOKS} form={WithKinds} />

/** Asks for the choices of a template before its editor opens. */
function FromTemplate() {
  const name = useUrlState().get('template')
  const [draft, setDraft] = useState<PlaybookDraft>()
  const templates = useQuery({ ...templatesQuery, enabled: name !== '' })
  if (name === '') return <WithKinds key="own" />
  if (draft) return <WithKinds key={name} prepared={draft} />
  if (templates.error) return <LoadFault query={templates} />
  if (!templates.data) return <Skeleton h={300} role="status" aria-label="Loading" />
  const template = templates.data.find((each) => each.name === name)
  if (!template) return <WithKinds key="own" />
  return <TemplateChoices template={template} onChosen={(chosen) => setDraft(draftOfTemplate(template, chosen))} />
}

interface PlaybookFormProps {
  /** The playbook to edit; absent for a new one. */
  readonly rule?: Playbook
  /** A draft from a template. */
  readonly prepared?: PlaybookDraft
}

function WithKinds(props: PlaybookFormProps) {
  const kinds = useQuery(stepKindsQuery)
  if (kinds.data) return <PlaybookForm {...props} kinds={kinds.data} />
  if (kinds.error) return <LoadFault query={kinds} />
  return <Skeleton h={300} role="status" aria-label="Loading" />
}

function PlaybookForm({ rule, prepared, kinds }: PlaybookFormProps & { readonly kinds: readonly StepKind[] }) {
  const navigate = useNavigate()
  const form = usePlaybookForm({
    id: rule?.id,
    initial: rule ? draftOf(rule) : (prepared ?? NEW_DRAFT),
    isPrepared: prepared !== undefined,
    onSaved: ({ id }) => {
      showToast(rule ? 'Changes saved' : 'Playbook created')
      void navigate({ to: `/playbooks/${id}` })
    },
  })
  const { value, faults, fields, change, set } = form
  const names = useReferenceNames(value.steps)
  // The lists of another file begin anew: their steps have the same ids as other steps before.
  const [imported, setImported] = useState(0)
  const onImport = (draft: PlaybookDraft) => {
    change({ ...draft, is_active: value.is_active })
    setImported(imported + 1)
  }
  return (
    <RuleEditor
      kind={PLAYBOOKS}
      rule={rule}
      form={form}
      preview={<Trial draft={value} kinds={kinds} names={names} />}
      actions={<FileActions draft={value} kinds={kinds} onImport={onImport} />}
    >
      <TextInput
        label="Name"
        required
        autoFocus
        value={value.name}
        error={fields.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        maxRows={6}
        value={value.description}
        error={fields.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      <TriggerFields
        key={`trigger ${imported}`}
        trigger={value.trigger}
        faults={faultsInside(faults, ['trigger'])}
        onChange={(trigger) => change({ trigger })}
      />
      <Fieldset legend="Steps">
        <Faults
          texts={[
            faultText(
              faults.filter(({ path }) => path === 'steps'),
              ['steps'],
            ),
          ].filter((text) => text !== undefined)}
        />
        <StepList
          key={`steps ${imported}`}
          steps={value.steps}
          collection={value.trigger.collection}
          kinds={kinds}
          names={names}
          faults={faults}
          set={set}
          onChange={(steps) => change({ steps })}
        />
      </Fieldset>
      <Switch
        label="Active"
        description="The playbook runs with your permissions. Inactive playbooks run by hand only."
        checked={value.is_active}
        onChange={({ currentTarget }) => change({ is_active: currentTarget.checked })}
      />
    </RuleEditor>
  )
}

interface FileActionsProps {
  readonly draft: PlaybookDraft
  readonly kinds: readonly StepKind[]
  readonly onImport: (draft: PlaybookDraft) => void
}

const MAX_FILE_BYTES = 1_000_000

/** Reads a playbook from a JSON file, and writes one. */
function FileActions({ draft, kinds, onImport }: FileActionsProps) {
  const names = useReferenceNames()
  const [fault, setFault] = useState<string | null>(null)
  const read = async (file: File | null) => {
    if (!file) return
    const found = file.size > MAX_FILE_BYTES ? undefined : readDraft(parsed(await file.text()))
    setFault(found ? null : `“${file.name}” is no playbook. Choose a JSON file with a trigger and steps.`)
    if (found) onImport(found)
  }
  return (
    <div>
      <Group gap="xs">
        <FileButton accept="application/json,.json" onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="upload" size={14} />}>
              Import
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          disabled={draft.steps.length === 0}
          onClick={() => saveAsFile(draft, draft.steps, kinds, names)}
        >
          Export
        </Button>
      </Group>
      {fault && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={4}>
          {fault}
        </Text>
      )}
    </div>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
