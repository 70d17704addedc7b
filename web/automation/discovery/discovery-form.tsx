import { Checkbox, Group, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { DiscoveryRule } from '../../api/resources.ts'
import { ScheduleFields } from '../../forms/schedule-fields.tsx'
import { QueryField } from '../../intelligence/datasets/query-field.tsx'
import { NamesSelect } from '../../ui/name-select.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { ScopeFields } from '../criteria-fields.tsx'
import { EditRulePage, NewRulePage, RuleEditor } from '../rule-editor.tsx'
import { DISCOVERY_RULES } from '../rule-kind.ts'
import { useRuleForm } from '../use-rule-form.ts'
import { DiscoveryPreview } from './discovery-preview.tsx'
import {
  DISCOVERY_FIELDS,
  type DiscoveryValues,
  discoveryBody,
  discoveryValues,
  KEYWORD_PLACES,
} from './discovery-values.ts'

/** The page for a new discovery rule. */
export const NewDiscoveryRule = () => <NewRulePage<DiscoveryRule> kind={DISCOVERY_RULES} form={DiscoveryForm} />

/** The page that changes a discovery rule. */
export const EditDiscoveryRule = () => <EditRulePage<DiscoveryRule> kind={DISCOVERY_RULES} form={DiscoveryForm} />

function DiscoveryForm({ rule }: { readonly rule?: DiscoveryRule }) {
  const navigate = useNavigate()
  const url = useUrlState()
  const form = useRuleForm<DiscoveryValues>({
    kind: DISCOVERY_RULES,
    id: rule?.id,
    initial: discoveryValues(rule, url.get('workspace')),
    fields: DISCOVERY_FIELDS,
    bodyOf: discoveryBody,
    onSaved: ({ id }) => {
      showToast(rule ? 'Changes saved' : 'Discovery rule created')
      void navigate({ to: `/discovery-rules/${id}` })
    },
  })
  const { values, set, fields: faults } = form
  return (
    <RuleEditor kind={DISCOVERY_RULES} rule={rule} form={form} preview={<DiscoveryPreview values={values} />}>
      <TextInput
        label="Name"
        required
        autoFocus
        value={values.name}
        error={faults.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        value={values.description}
        error={faults.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <TagsInput
        label="Keywords"
        description="Words or phrases, one of which must occur. Press Enter after each."
        value={[...values.keywords]}
        error={faults.keywords}
        onChange={(keywords) => set({ keywords })}
        acceptValueOnBlur
        splitChars={['\n', ';']}
      />
      <Checkbox.Group
        label="Search keywords in"
        value={[...values.places]}
        error={faults.match_keywords_in}
        onChange={(places) => set({ places })}
      >
        <Group mt={4}>
          {KEYWORD_PLACES.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <QueryField
        label="Query"
        description="Must match as well, such as type:malware AND created_at:>now-30d."
        value={values.query}
        error={faults.search_query}
        onChange={(query) => set({ query })}
      />
      <ScopeFields values={values} set={set} faults={faults} />
      <NamesSelect
        of="workspaces"
        label="Workspaces"
        description="Members of these workspaces see the rule and are notified. Without a workspace, everyone with access to discovery rules sees it."
        value={values.workspaces}
        error={faults.workspaces}
        onChange={(workspaces) => set({ workspaces })}
      />
      <ScheduleFields
        label="Check all entities again"
        description="Only needed for queries with times relative to now. New and changed entities are checked within seconds."
        values={values}
        set={set}
        error={faults.execution_schedule}
      />
      <Switch
        label="Active"
        checked={values.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </RuleEditor>
  )
}
