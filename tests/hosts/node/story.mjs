// Two agents on one bus, through the typed interface: node story.mjs COMPONENT PROJECT TEMP

import assert from 'node:assert/strict';

import { load } from './host.mjs';

const [wasm, project, temp] = process.argv.slice(2);
const open = await load(wasm, temp);
const { agents, messages, project: bus } = open({ '.': project });

assert.equal(bus.initBus().created, true);
assert.equal(bus.initBus().created, false);
for (const name of ['alice', 'bob']) assert.deepEqual(agents.register(name, 'builder'), { name, created: true });

const sent = messages.sendMessage('alice', 'bob', 'Is the user service yours?', 'question', 'high', undefined, {
  subject: 'User service',
  needsReply: true,
});
assert.deepEqual(sent.recipients, ['bob']);

const inbox = messages.checkInbox('bob');
assert.equal(inbox.count, 1);
const [waiting] = inbox.notifications;
assert.deepEqual(
  [waiting.id, waiting.from, waiting.type, waiting.priority, waiting.subject],
  [sent.id, 'alice', 'question', 'high', 'User service'],
);

const reading = messages.readMessage('bob', waiting.id);
assert.equal(reading.content, 'Is the user service yours?');
assert.equal(reading.firstRead, true);
assert.equal(messages.checkInbox('bob').count, 0);

const answer = messages.reply('bob', waiting.id, 'Yes, it is.');
assert.equal(answer.threadId, sent.threadId);
const [heard] = messages.checkInbox('alice', { type: 'response' }).notifications;
assert.deepEqual([heard.id, heard.from, heard.inReplyTo], [answer.id, 'bob', sent.id]);

// An error has the kind that an exit code has, what was found, and what to do.
assert.throws(
  () => messages.sendMessage('alice', 'nobody', 'Hello?'),
  ({ tag, val }) => tag === 'not-found' && val.message.includes('nobody') && val.hint !== '',
);

// An instance that is given no directory reaches none.
const denied = open({}, { HUDDLE_ROOT: project });
for (const act of [() => denied.messages.checkInbox('bob'), () => denied.project.initBus()]) {
  assert.throws(act, ({ tag, val }) => tag === 'failed' && val.message.includes('has not opened it'));
}

console.log(JSON.stringify({ question: sent.id, answer: answer.id }));
