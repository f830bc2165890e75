// One run of the program on the files that the page was given. It sees them as a folder that nothing can change.
"use strict";
const S_IFDIR = 0o040555, S_IFREG = 0o100444, BLOCK = 4 << 20;
const said = {1: [], 2: []}; // what the program writes to its standard output and error
const open = new Map();
let nodes, next = 3;

const fault = code => Object.assign(new Error(code), {code});

// absolute is a path without "." and "..", below the only folder.
function absolute(path) {
	const parts = [];
	for (const part of path.split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return "/" + parts.join("/");
}

function nodeOf(path) {
	const node = nodes.get(absolute(path));
	if (!node) throw fault("ENOENT");
	return node;
}

function stat(node) {
	const size = node.file ? node.file.size : 0, time = node.file ? node.file.lastModified : 0;
	return {
		dev: 1, ino: node.number, mode: node.file ? S_IFREG : S_IFDIR, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
		blocks: Math.ceil(size / 512), atimeMs: time, mtimeMs: time, ctimeMs: time, isDirectory: () => !node.file,
	};
}

// read copies a part of a file. It keeps the block that it was in.
function read(handle, buffer, offset, length, position) {
	if (!handle) throw fault("EBADF");
	if (!handle.node.file) throw fault("EISDIR");
	const at = position ?? handle.position, {file} = handle.node;
	const start = Math.floor(at / BLOCK) * BLOCK;
	if (at >= file.size) return 0;
	if (handle.start !== start) {
		handle.block = new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(start, start + BLOCK)));
		handle.start = start;
	}
	const part = handle.block.subarray(at - start, at - start + length);
	buffer.set(part, offset);
	if (position === null) handle.position += part.length;
	return part.length;
}

function write(fd, bytes) {
	if (!said[fd]) throw fault("EBADF");
	said[fd].push(bytes.slice());
	return bytes.length;
}

const calls = {
	open(path, flags) {
		if (flags & 3) throw fault("EROFS");
		const node = nodeOf(path);
		open.set(next, {node, position: 0, start: -1});
		return next++;
	},
	close(fd) { if (fd > 2 && !open.delete(fd)) throw fault("EBADF"); },
	fstat(fd) {
		if (fd <= 2) return {...stat({number: 0}), mode: 0o010600, isDirectory: () => false}; // a pipe
		if (!open.has(fd)) throw fault("EBADF");
		return stat(open.get(fd).node);
	},
	stat: path => stat(nodeOf(path)),
	lstat: path => stat(nodeOf(path)),
	readdir: path => [...nodeOf(path).names].sort(),
	readlink() { throw fault("EINVAL"); },
	read: (fd, buffer, offset, length, position) => fd === 0 ? 0 : read(open.get(fd), buffer, offset, length, position),
	write: (fd, buffer, offset, length) => write(fd, buffer.subarray(offset, offset + length)),
	fsync() {},
};
globalThis.fs = {
	constants: {O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536},
	writeSync: write,
};
for (const name of ["open", "close", "fstat", "stat", "lstat", "readdir", "readlink", "read", "write", "fsync", "chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "mkdir", "rename", "rmdir", "symlink", "truncate", "unlink", "utimes"]) {
	fs[name] = (...args) => {
		const done = args.pop();
		let answer;
		try {
			if (!calls[name]) throw fault("EROFS");
			answer = calls[name](...args);
		} catch (err) {
			if (!err.code || typeof err.code !== "string") err = fault("EIO"); // the file changed, or went away
			done(err);
			return;
		}
		done(null, answer);
	};
}
globalThis.path = {resolve: (...paths) => absolute(paths.join("/"))};
globalThis.process = {
	pid: 1, ppid: 0, cwd: () => "/", chdir() { throw fault("ENOSYS"); }, umask: () => 0,
	getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
};

// folderOf makes the nodes of a folder that has the files.
function folderOf(files) {
	const all = new Map([["/", {number: 1, names: new Set()}]]);
	for (const {name, file} of files) {
		const parts = absolute(name).slice(1).split("/");
		let at = "/";
		parts.forEach((part, i) => {
			all.get(at).names?.add(part);
			at = absolute(at + "/" + part);
			if (!all.has(at)) all.set(at, {number: all.size + 1, ...(i === parts.length - 1 ? {file} : {names: new Set()})});
		});
	}
	return all;
}

onmessage = async ({data}) => {
	nodes = folderOf(data.files);
	const go = new Go();
	let code = 2;
	go.argv = ["cupel", ...data.args];
	go.exit = c => { code = c; };
	try {
		await go.run(await WebAssembly.instantiate(data.program, go.importObject));
	} catch (err) {
		write(2, new TextEncoder().encode(`verify.html: error: ${err}\n`));
	}
	postMessage({code, out: new Blob(said[1]), err: new Blob(said[2])});
};
