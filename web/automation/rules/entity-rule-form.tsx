import { Input, SegmentedControl, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { QueryField } from '../../intelligence/datasets/query-field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ScopeFields } from '../criteria-fields.tsx'
import { EditRulePage, NewRulePage, RuleEditor } from '../rule-editor.tsx'
import { ENTITY_RULES } from '../rule-kind.ts'
import { useRuleForm } from '../use-rule-form.ts'
import { ActionFields } from './action-fields.tsx'
import type { EntityRule } from './entity-rule.ts'
import { PreviewPanel } from './rule-preview.tsx'
import { type ContentKind, RULE_FIELDS, type RuleValues, ruleBody, ruleValues } from './rule-values.ts'
import { TreeEditor } from './tree-editor.tsx'
import { useRulePreview } from './use-rule-preview.ts'

/** The page for a new entity rule. */
export const NewEntityRule = () => <NewRulePage<EntityRule> kind={ENTITY_RULES} form={RuleForm} />

/** The page that changes an entity rule. */
export const EditEntityRule = () => <EditRulePage<EntityRule> kind={ENTITY_RULES} form={RuleForm} />

function RuleForm({ rule }: { readonly rule?: EntityRule }) {
  const navigate = useNavigate()
  const form = useRuleForm<RuleValues>({
    kind: ENTITY_RULES,
    id: rule?.id,
    initial: ruleValues(rule),
    fields: RULE_FIELDS,
    bodyOf: ruleBody,
    onSaved: ({ id }) => {
      showToast(rule ? 'Changes saved' : 'Entity rule created')
      void navigate({ to: `/entity-rules/${id}` })
    },
  })
  const { values, set } = form
  const live = useRulePreview(values, rule?.id)
  // The server checks the rule before it computes the preview.
  const faults = { ...live.faults.fields, ...form.fields }
  return (
    <RuleEditor kind={ENTITY_RULES} rule={rule} form={form} preview={<PreviewPanel {...live} />}>
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
      <Text size="sm" fw={600} mt="xs">
        Applies to
      </Text>
      <ScopeFields values={values} set={set} faults={faults} />
      <ContentFields values={values} set={set} faults={faults} />
      <ActionFields values={values} set={set} faults={faults} />
      <Switch
        label="Active"
        description="An active rule changes entities while they are stored, before anyone can see them."
        checked={values.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </RuleEditor>
  )
}

const CONTENT_KINDS = [
  { value: 'none', label: 'Any content' },
  { value: 'query', label: 'Query' },
  { value: 'tree', label: 'Conditions' },
]

interface ContentFieldsProps {
  readonly values: RuleValues
  readonly set: (change: Partial<RuleValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** The content that entities must have. */
function ContentFields({ values, set, faults }: ContentFieldsProps) {
  return (
    <>
      <Input.Wrapper label="Content" labelElement="div">
        <SegmentedControl
          mt={4}
          display="flex"
          aria-label="Content"
          data={CONTENT_KINDS}
          value={values.content}
          onChange={(content) => set({ content: content as ContentKind })}
        />
      </Input.Wrapper>
      {values.content === 'query' && (
        <QueryField
          label="Query"
          description="Only fields of the entity itself, such as loader AND tags:banking."
          value={values.query}
          error={faults.content_criteria}
          onChange={(query) => set({ query })}
        />
      )}
      {values.content === 'tree' && (
        <TreeEditor tree={values.tree} error={faults.content_criteria} onChange={(tree) => set({ tree })} />
      )}
    </>
  )
}
