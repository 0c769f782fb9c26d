// Reads files on a thread of its own, so that the next piece is there when the one before has been gone through.
const reader = new FileReaderSync();
onmessage = ({ data: blob }) => {
  try {
    const bytes = reader.readAsArrayBuffer(blob);
    postMessage(bytes, [bytes]);
  } catch (error) {
    postMessage(error.message);
  }
};
