import { Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import type { Workspace } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { choiceField, idsField, idsIn } from '../../ui/form-fields.ts'
import { NamesSelect } from '../../ui/name-select.tsx'
import { useForm } from '../../ui/use-form.ts'
import { TYPES } from './workspace-list.ts'

interface WorkspaceFormProps {
  /** The workspace to edit; absent for a new one. */
  readonly workspace?: Workspace
  readonly onDone: (workspace: Workspace) => void
  readonly onCancel: () => void
}

const valuesOf = (workspace: Workspace | undefined) => ({
  name: workspace?.name ?? '',
  description: workspace?.description ?? '',
  type: workspace?.type ?? 'generic',
  is_public: workspace?.is_public ? 'yes' : '',
  collaborators: (workspace?.collaborators ?? []).map(idOf).join(','),
  groups: (workspace?.groups ?? []).map(idOf).join(','),
})

/** Creates or edits a workspace and its sharing. */
export function WorkspaceForm({ workspace, onDone, onCancel }: WorkspaceFormProps) {
  const may = useMay()
  const mayInvite = may('modify collaborators') && may('read users')
  const form = useForm(
    valuesOf(workspace),
    async ({ is_public, collaborators, groups, ...texts }) => {
      const data = {
        ...texts,
        is_public: is_public === 'yes',
        // Fields that the user may not change must not be sent, or the whole request is rejected.
        ...(mayInvite && { collaborators: idsIn(collaborators).map(Number) }),
        ...(may('read groups') && { groups: idsIn(groups).map(Number) }),
      }
      const path = workspace ? `workspaces/${workspace.id}` : 'workspaces'
      return (await call<{ data: Workspace }>(workspace ? 'PATCH' : 'POST', path, { data })).data
    },
    (made) => {
      void invalidate('workspaces')
      onDone(made)
    },
  )
  const isPublic = form.values.is_public === 'yes'
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required data-autofocus {...form.field('name')} />
        <Textarea label="Description" autosize minRows={3} maxRows={12} {...form.field('description')} />
        <Select label="Type" data={[...TYPES]} allowDeselect={false} {...choiceField(form, 'type')} />
        <Switch
          label="Public: visible to all users who can read workspaces"
          checked={isPublic}
          onChange={({ currentTarget: { checked } }) => choiceField(form, 'is_public').onChange(checked ? 'yes' : '')}
        />
        {mayInvite && (
          <NamesSelect
            of="users"
            label="Collaborators"
            placeholder="No collaborators"
            {...idsField(form, 'collaborators')}
          />
        )}
        {may('read groups') && (
          <NamesSelect
            of="groups"
            label="Groups"
            description="Members of these groups can see the workspace."
            {...idsField(form, 'groups')}
          />
        )}
        <FormActions
          submit={workspace ? 'Save changes' : 'Create workspace'}
          isSending={form.isSending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
