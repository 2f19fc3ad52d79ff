# SPDX-License-Identifier: Apache-2.0
"""Drives one headless Chromium through its DevTools protocol, over a pipe: no port, no driver, no
package but the browser. Every wait has a deadline. Not for several threads."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

# A start on a busy machine takes some seconds; nothing else that is waited for takes one.
DEADLINE_S = 60


class BrowserError(Exception):
    """The browser is missing, died, did not answer, or the page's script threw. One sentence."""


class Chromium:
    """A browser with one tab. A context manager: it ends with the block, with all its processes."""

    def __init__(self):
        self._program = shutil.which('chromium') or shutil.which('google-chrome')
        if self._program is None:
            raise BrowserError('there is no chromium to open the page in; install the package '
                               '`chromium`')
        self._next_id = 0
        self._buffer = b''
        self._events = []

    def __enter__(self):
        # What outlives the browser for a moment may still write there while it is removed.
        self._profile = tempfile.TemporaryDirectory(prefix='sandproof-browser-',
                                                    ignore_cleanup_errors=True)
        from_us, self._to_browser = os.pipe()
        self._from_browser, to_us = os.pipe()

        # The browser reads from descriptor 3 and writes to 4. Ours may be just these: moved away.
        def place_pipes():
            high_in, high_out = os.dup(from_us), os.dup(to_us)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self._process = subprocess.Popen(
            [self._program, '--headless=new', '--no-sandbox', '--disable-gpu',
             '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking',
             '--remote-debugging-pipe', '--user-data-dir=' + self._profile.name, 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=place_pipes, close_fds=False, start_new_session=True,
            env={**os.environ, 'HOME': self._profile.name})
        os.close(from_us)
        os.close(to_us)
        target = self._call('Target.createTarget', {'url': 'about:blank'})['targetId']
        self._session = None
        self._session = self._call('Target.attachToTarget',
                                   {'targetId': target, 'flatten': True})['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self._call(domain + '.enable')
        return self

    def __exit__(self, *error):
        # Closed pipes are its sign to end; its processes are a group of their own.
        os.close(self._to_browser)
        os.close(self._from_browser)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._profile.cleanup()

    def open(self, url):
        """Loads a page and waits until it is there. Its requests and messages are kept anew."""
        self._events.clear()
        # From a page to itself with another fragment, nothing would be loaded.
        self._call('Page.navigate', {'url': 'about:blank'})
        self._wait_for('Page.loadEventFired')
        self._events.clear()
        self._call('Page.navigate', {'url': url})
        self._wait_for('Page.loadEventFired')

    def run(self, expression):
        """The value of an expression in the page; a promise is waited for."""
        answer = self._call('Runtime.evaluate',
                            {'expression': expression, 'returnByValue': True, 'awaitPromise': True,
                             'userGesture': True})
        if 'exceptionDetails' in answer:
            raise BrowserError('the page threw: %s' % answer['exceptionDetails'])
        return answer['result'].get('value')

    def press(self, key):
        """A key by its name, "ArrowDown" or "/"; goes to what has the focus."""
        common = {'key': key, 'text': key} if len(key) == 1 else {'key': key}
        kind = 'keyDown' if len(key) == 1 else 'rawKeyDown'
        self._call('Input.dispatchKeyEvent', {'type': kind, **common})
        self._call('Input.dispatchKeyEvent', {'type': 'keyUp', 'key': key})

    def paste(self):
        """What was copied, into what has the focus."""
        self._call('Input.dispatchKeyEvent',
                   {'type': 'rawKeyDown', 'key': 'v', 'modifiers': 2, 'commands': ['paste']})
        self._call('Input.dispatchKeyEvent', {'type': 'keyUp', 'key': 'v', 'modifiers': 2})

    def show_as(self, width, height=900, scheme='light', media=''):
        """The size of the window, the reader's colour scheme, and "print" for paper."""
        self._call('Emulation.setDeviceMetricsOverride',
                   {'width': width, 'height': height, 'deviceScaleFactor': 1,
                    'mobile': width < 600})
        self._call('Emulation.setEmulatedMedia',
                   {'media': media,
                    'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})

    def allow_scripts(self, allowed):
        self._call('Emulation.setScriptExecutionDisabled', {'value': not allowed})

    def screenshot(self, path, whole=False):
        answer = self._call('Page.captureScreenshot', {'captureBeyondViewport': whole})
        with open(path, 'wb') as file:
            file.write(base64.b64decode(answer['data']))

    def requests(self):
        """The addresses that were asked for since open()."""
        return [event['params']['request']['url'] for event in self._events
                if event['method'] == 'Network.requestWillBeSent']

    def complaints(self):
        """What the console has: errors, refusals of the page's policy."""
        said = [event['params']['entry']['text'] for event in self._events
                if event['method'] == 'Log.entryAdded']
        return said + [str(event['params']['exceptionDetails']) for event in self._events
                       if event['method'] == 'Runtime.exceptionThrown']

    def _call(self, method, parameters=None):
        self._next_id += 1
        message = {'id': self._next_id, 'method': method, 'params': parameters or {}}
        if getattr(self, '_session', None):
            message['sessionId'] = self._session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self._to_browser, data):]
        deadline = time.monotonic() + DEADLINE_S
        while True:
            answer = self._read(deadline, method)
            if answer.get('id') == self._next_id:
                if 'error' in answer:
                    raise BrowserError('%s: %s' % (method, answer['error'].get('message')))
                return answer['result']
            self._events.append(answer)

    def _wait_for(self, method):
        deadline = time.monotonic() + DEADLINE_S
        while not any(event.get('method') == method for event in self._events):
            self._events.append(self._read(deadline, method))

    def _read(self, deadline, awaited):
        """The next message. Messages end with NUL."""
        while b'\0' not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._from_browser], [], [], left)[0]:
                raise BrowserError('the browser did not answer within %d s; awaited was %s'
                                   % (DEADLINE_S, awaited))
            piece = os.read(self._from_browser, 1 << 16)
            if not piece:
                raise BrowserError('the browser ended; awaited was %s' % awaited)
            self._buffer += piece
        message, self._buffer = self._buffer.split(b'\0', 1)
        return json.loads(message)
