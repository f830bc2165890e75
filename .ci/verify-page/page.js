"use strict";
const $ = id => document.getElementById(id);
const LARGEST = 1 << 30; // bytes of all files together
const SHOWN = 200; // findings of a record, and records
let files = [], running, answered; // the last run's exit code and what it printed

// unpacked is what a script element holds: gzip in base 85 (RFC 1924), with a comma for the sign <, after the number of bytes
// too many.
async function unpacked(id) {
	const values = new Uint8Array(128), text = $(id).textContent, bytes = new Uint8Array((text.length - 1) / 5 * 4), view = new DataView(bytes.buffer);
	[..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~"].forEach((c, i) => { values[c.charCodeAt(0)] = i; });
	for (let from = 1, to = 0; from < text.length; to += 4) {
		let value = 0;
		for (let i = 0; i < 5; i++) value = value * 85 + values[text.charCodeAt(from++)];
		view.setUint32(to, value);
	}
	$(id).remove();
	return new Response(new Blob([bytes.subarray(0, bytes.length - text[0])]).stream().pipeThrough(new DecompressionStream("gzip")));
}
const program = unpacked("packed-program").then(r => r.arrayBuffer()).then(WebAssembly.compile);
$("licenses").ontoggle = async () => { if ($("packed-notice")) $("notice").textContent = await (await unpacked("packed-notice")).text(); };
const worker = URL.createObjectURL(new Blob([$("worker").textContent], {type: "text/javascript"}));

// visible is a text whose invisible characters, which could turn others around, are escaped.
const visible = text => text.replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, c => c === "\n" || c === "\t" ? c : `\\u{${c.codePointAt(0).toString(16)}}`);

// say makes an element with text. The text of a record is never more than text.
function say(parent, name, text, kind) {
	const element = parent.appendChild(document.createElement(name));
	element.textContent = visible(text);
	if (kind) element.className = kind;
	return element;
}

function choose(list) {
	files = list;
	$("chosen").replaceChildren();
	for (const {name, file} of list.slice(0, SHOWN)) say($("chosen"), "li", `${name} (${file.size.toLocaleString("en")} bytes)`);
	if (list.length > SHOWN) say($("chosen"), "li", `and ${list.length - SHOWN} more`);
	$("run").disabled = list.length === 0;
}

const picked = event => choose([...event.target.files].map(file => ({name: file.webkitRelativePath || file.name, file})));
$("files").onchange = picked;
$("folder").onchange = picked;

// entries lists the files of a dropped folder.
async function entries(entry, found) {
	if (entry.isFile) {
		found.push({name: entry.fullPath.slice(1), file: await new Promise((yes, no) => entry.file(yes, no))});
		return;
	}
	const reader = entry.createReader();
	for (let list; (list = await new Promise((yes, no) => reader.readEntries(yes, no))).length > 0;) {
		for (const e of list) await entries(e, found);
	}
}
document.ondragover = event => { event.preventDefault(); $("drop").classList.add("over"); };
document.ondragleave = () => $("drop").classList.remove("over");
document.ondrop = async event => {
	event.preventDefault();
	$("drop").classList.remove("over");
	const found = [];
	for (const entry of [...event.dataTransfer.items].map(i => i.webkitGetAsEntry()).filter(Boolean)) await entries(entry, found);
	choose(found);
};

// cupel runs the program: its exit code, and what it prints.
async function cupel(args, files) {
	const compiled = await program;
	return new Promise((yes, no) => {
		running = new Worker(worker);
		running.onmessage = event => yes(event.data);
		running.onerror = event => no(new Error(event.message));
		running.stop = () => no(new Error("stopped"));
		running.postMessage({program: compiled, args, files});
	}).finally(() => { running.terminate(); running = undefined; });
}

// operands are what the command reads: files, without those that an option names, or folders.
function operands(options) {
	const tops = new Set(files.map(f => f.name.split("/")[0]).filter(name => !options.includes(name)));
	return [...tops].map(name => name.startsWith("-") ? "./" + name : name);
}

const words = {valid: "good", invalid: "bad", rejected: "bad"};
const headlines = [["good", "Passed: nothing wrong was found in what was checked"], ["bad", "Failed: the records are not what they should be"], ["care", "Not verified: not everything could be checked"]];

function headline(kind, text) {
	$("verdict").textContent = text;
	$("verdict").className = kind;
}

function listed(parent, title, list, line) {
	if (list.length === 0) return;
	say(parent, "h3", title);
	const ul = parent.appendChild(document.createElement("ul"));
	for (const each of list.slice(0, SHOWN)) line(say(ul, "li", ""), each);
	if (list.length > SHOWN) say(ul, "li", `and ${list.length - SHOWN} more, in the whole report`);
}

function finding(item, f) {
	say(item, "span", `${f.severity} ${f.rule}`, f.severity === "error" ? "bad" : "care");
	say(item, "span", `${f.line ? ` on line ${f.line}` : ""}: ${f.message}`);
}

function record(input, command) {
	const article = $("records").appendChild(document.createElement("article"));
	const title = say(article, "h3", `${input.input}: `);
	say(title, "span", input.verdict ?? "no verdict", words[input.verdict] ?? "care");
	const facts = article.appendChild(document.createElement("dl"));
	const fact = (name, value) => { if (value !== undefined && value !== null) { say(facts, "dt", name); say(facts, "dd", String(value)); } };
	fact("Checked with", command);
	fact("Format", input.family ?? input.kind);
	fact("Events", input.events);
	fact("Evidence class", input.evidence_class);
	fact("SHA-256", input.sha256);
	listed(article, "Findings", input.findings ?? [], finding);
	listed(article, "Not verified", input.not_covered ?? [], (item, text) => { say(item, "span", text); });
}

async function show({code, out, err}, line) {
	const text = await out.text(), complaints = await err.text();
	headline(...headlines[code] ?? headlines[2]);
	$("problem").textContent = visible(complaints);
	$("problem").hidden = complaints === "";
	$("json").textContent = visible(text.length > 2e6 ? text.slice(0, 2e6) + "\n…" : text);
	$("save").href = URL.createObjectURL(out);
	$("line").textContent = visible(line);
	$("whole").hidden = text === "";
	if (text === "") return;
	const report = JSON.parse(text);
	const records = (report.documents ?? [report]).flatMap(d => (d.inputs ?? []).map(input => [input, d.schema === "cupel.trace/1" ? "cupel trace verify" : "cupel evidence verify"]));
	for (const [input, command] of records.slice(0, SHOWN)) record(input, command);
	if (records.length > SHOWN) say($("records"), "p", `and ${records.length - SHOWN} more records, in the whole report`);
	if (report.documents) listed($("records"), "Findings on all", report.findings ?? [], finding);
	listed($("records"), "Not read", report.passed_over ?? [], (item, passed) => { say(item, "span", `${passed.file ?? passed.input}: ${passed.why ?? passed.reason ?? ""}`); });
}

$("run").onclick = async () => {
	const options = $("options").value.trim().split(/\s+/).filter(Boolean);
	const args = [...$("command").value.split(" "), "--format", "json", ...options, ...operands(options)];
	$("records").replaceChildren();
	$("problem").hidden = $("whole").hidden = $("answer").hidden = true;
	const size = files.reduce((sum, f) => sum + f.file.size, 0);
	$("answer").hidden = false;
	if (size > LARGEST) {
		headline("care", `Not verified: the files have ${size.toLocaleString("en")} bytes, and this page reads at most ${LARGEST.toLocaleString("en")} (1 GiB). The program cupel has no such limit.`);
		answered = {code: 2, out: new Blob()};
		return;
	}
	headline("", "Checking…");
	$("run").disabled = true;
	$("stop").hidden = false;
	try {
		const began = performance.now(), run = await cupel(args, files);
		run.seconds = (performance.now() - began) / 1000;
		await show(run, `cupel ${args.join(" ")}`);
		answered = run;
	} catch (err) {
		headline("care", `Not verified: ${err.message}`);
	}
	$("run").disabled = false;
	$("stop").hidden = true;
	$("answer").focus();
};
$("stop").onclick = () => running?.stop();
document.documentElement.classList.add("live");
