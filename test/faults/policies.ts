import type { Fault } from './fault.ts'

/** Consolidation policies, events and suggestions. */
export const policyFaults: readonly Fault[] = [
  {
    breaks: 'a suggestion is seen by those who see only one of its entities',
    file: 'server/automation/consolidation/suggestions/suggestions.ts',
    from: `(\${isSeen(ctx, \`\${t}.first\`)} and `,
    to: `(\${isSeen(ctx, \`\${t}.first\`)} or `,
    tests: ['server/automation/consolidation/suggestions/suggestions.test.ts'],
  },
  {
    breaks: 'an event is seen by those who do not see the unified entity',
    file: 'server/automation/consolidation/events/events.ts',
    from: `(\${holdsKey(ctx, sql.ref(\`\${t}.vis\`))} and (`,
    to: `(true or \${holdsKey(ctx, sql.ref(\`\${t}.vis\`))} and (`,
    tests: ['server/automation/consolidation/events/events.test.ts'],
  },
  {
    breaks: 'a preview counts entities that the caller does not see',
    file: 'server/automation/consolidation/policies/judged-entities.ts',
    from: `where \${visible(ctx, resourceOf(ctx, 'entities'))} and (\${sql.join(`,
    to: `where (true or \${visible(ctx, resourceOf(ctx, 'entities'))}) and (\${sql.join(`,
    tests: ['server/automation/consolidation/policies/preview.test.ts'],
  },
  {
    breaks: 'a preview includes entities that an older policy covers',
    file: 'server/automation/consolidation/policies/judged-entities.ts',
    from: 'and not ${isOfOlderPolicy(policy)}',
    to: 'and not (false and ${isOfOlderPolicy(policy)})',
    tests: ['server/automation/consolidation/policies/preview.test.ts'],
  },
  {
    breaks: 'keys that are switched off tell how many entities the caller does not see',
    file: 'server/automation/consolidation/policies/switched-off.ts',
    from: "where k.key = x.key and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}) as c",
    to: "where k.key = x.key and (true or ${visible(ctx, resourceOf(ctx, 'entities'), 'e')})) as c",
    tests: ['server/automation/consolidation/policies/switched-off.test.ts'],
  },
  {
    breaks: 'users have entities unified into the source of a group that they do not belong to',
    file: 'server/automation/consolidation/policies/policy-operations.ts',
    from: 'foreign.has(Number(group)) && before[i]',
    to: 'foreign.has(-1) && before[i]',
    tests: ['server/automation/consolidation/policies/policies.test.ts'],
  },
  {
    breaks: 'two configurations of a policy say how the same entities are composed',
    file: 'server/automation/consolidation/policies/check-configurations.ts',
    from: 'return isShared ? types : []',
    to: 'return isShared && types.length > 1 ? types : []',
    tests: ['server/automation/consolidation/policies/configurations.test.ts'],
  },
  {
    breaks: 'a change of a configuration has no effect on existing entities',
    file: 'server/automation/consolidation/policies/configurations.ts',
    from: '  await startPolicyRuns(ctx, [policy])\n',
    to: '  await startPolicyRuns(ctx, [])\n',
    tests: ['server/automation/consolidation/policies/configurations.test.ts'],
  },
  {
    breaks: 'a refused suggestion leaves joined what is not the same',
    file: 'server/automation/consolidation/suggestions/decide-suggestion.ts',
    from: 'regroup(ctx, [first, second], ENDINGS.refused)',
    to: 'regroup(ctx, [], `${first}${second}${ENDINGS.refused}`)',
    tests: ['server/automation/consolidation/suggestions/decide-suggestion.test.ts'],
  },
]
