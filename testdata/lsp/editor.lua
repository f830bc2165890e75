-- An editor with cupel lsp: opens a document with faults, looks at what is shown, asks what is
-- meant, completes, mends, lays out, and prints what it sees. Every wait has a deadline.
--
--   CUPEL=./cupel DOCUMENT=attack.yaml nvim --headless -u NONE -i NONE -n -c 'luafile testdata/lsp/editor.lua'
--
-- The document is changed in the editor only. Run by .ci/editor.

local deadline = 60000 -- milliseconds; a server that answers takes a hundredth of it

local function say(text)
  io.stdout:write(text, '\n')
end

local function fail(text)
  say('failed: ' .. text)
  vim.cmd('cquit')
end

local function await(what, condition)
  if not vim.wait(deadline, condition, 20) then
    fail('nothing has come: ' .. what)
  end
end

vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.DOCUMENT))
local buffer = vim.api.nvim_get_current_buf()
local exit
local client_id = vim.lsp.start_client({
  name = 'cupel',
  cmd = { vim.env.CUPEL, 'lsp' },
  root_dir = vim.fn.getcwd(),
  on_exit = function(code) exit = code end,
})
if not client_id then
  fail('cupel lsp cannot be started')
end
vim.lsp.buf_attach_client(buffer, client_id)
local client = vim.lsp.get_client_by_id(client_id)

-- The diagnostics of the text as it is; shown is which they are when it has changed.
local function diagnostics()
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    local first = vim.split(d.message, '\n')[1]
    table.insert(lines, string.format('  %d:%d-%d:%d %s %s', d.lnum + 1, d.col + 1, d.end_lnum + 1, d.end_col + 1, d.code, first))
  end
  table.sort(lines)
  return table.concat(lines, '\n')
end

local function ask(method, params)
  local answers, why = vim.lsp.buf_request_sync(buffer, 'textDocument/' .. method, params, deadline)
  local answer = answers and answers[client_id]
  if not answer then
    fail(method .. ': ' .. tostring(why))
  end
  return answer
end

-- Params for the place of a word, or behind it.
local function place(word, behind)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local from, to = line:find(word, 1, true)
    if from then
      vim.api.nvim_win_set_cursor(0, { number, behind and to or from - 1 })
      local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
      if behind then -- make_position_params stays on the last character of a line
        params.position.character = vim.str_utfindex(line, to)
      end
      return params
    end
  end
  fail('the document has no ' .. word)
end

await('the server initialized', function() return client.initialized end)
say('server ' .. client.name .. ', positions in ' .. client.offset_encoding)

await('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
say('diagnostics\n' .. diagnostics())

say('hover on hihg\n  ' .. vim.split(ask('hover', place('hihg')).result.contents.value, '\n')[1])
say('hover on surface\n  ' .. vim.split(ask('hover', place('surface:')).result.contents.value, '\n')[1])

-- A half-typed line, as somebody would leave it in order to look at the choices.
local number = vim.api.nvim_buf_line_count(buffer)
vim.api.nvim_buf_set_lines(buffer, number, number, true, { '      - surface: tool_a' })
local items = {}
for _, item in ipairs(ask('completion', place('surface: tool_a', true)).result) do
  if vim.startswith(item.label, 'tool_a') then
    table.insert(items, item.label .. ' (' .. item.detail .. ')')
  end
end
say('completion of tool_a\n  ' .. table.concat(items, '\n  '))
await('the diagnostics of the new line', function() return diagnostics():find('tool_a"') ~= nil end)
vim.api.nvim_buf_set_lines(buffer, number, number + 1, true, {})
await('the diagnostics without it', function() return diagnostics():find('tool_a"') == nil end)

local last = vim.api.nvim_buf_line_count(buffer)
local actions = ask('codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } },
  context = { diagnostics = {} },
}).result
say('code actions')
for _, action in ipairs(actions) do
  say('  ' .. action.title)
end
-- One after the other, each of which changes the places of those below it: from the last one up.
for i = #actions, 1, -1 do
  vim.lsp.util.apply_workspace_edit(actions[i].edit, client.offset_encoding)
end
await('fewer diagnostics', function() return #vim.diagnostic.get(buffer) == 2 end)
say('diagnostics after them\n' .. diagnostics())

local edits = ask('formatting', { textDocument = vim.lsp.util.make_text_document_params(buffer), options = { tabSize = 2, insertSpaces = true } }).result
vim.lsp.util.apply_text_edits(edits, buffer, client.offset_encoding)
say(string.format('formatted by %d edits', #edits))
for _, symbol in ipairs(ask('documentSymbol', { textDocument = vim.lsp.util.make_text_document_params(buffer) }).result) do
  local below = {}
  for _, child in ipairs(symbol.children or {}) do
    table.insert(below, child.name)
  end
  say('symbols\n  ' .. symbol.name .. ': ' .. table.concat(below, ', '))
end
say('text\n  ' .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n  '))

client.stop()
await('the end of the server', function() return exit ~= nil end)
say('exit code ' .. exit)
vim.cmd('qall!')
