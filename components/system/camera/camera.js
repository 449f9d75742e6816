const AGAIN = 2000, PAUSE = 100, WIDEST = 1280;
const FORMATS = ["EAN13", "EAN8", "UPCA", "UPCE", "Code128", "Code39", "ITF", "QRCode", "DataMatrix"];

let reader = null;  // a megabyte that most counters never need: fetched when a camera is first opened

const fetched = () => reader ??= new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = "camera/reader/zxing_reader.js";
  script.onload = () => ZXingWASM.prepareZXingModule({ fireImmediately: true }).then(() => resolve(ZXingWASM), reject);
  script.onerror = reject;
  document.head.append(script);
}).catch(() => { reader = null; });  // the next press tries again

export default function ({ parentElement, data }) {
  const part = (name) => parentElement.querySelector(name);
  const button = part("button"), dialog = part("dialog"), video = part("video"), said = part("p");
  const canvas = document.createElement("canvas"), words = data.words;
  button.title = button.ariaLabel = dialog.ariaLabel = words.open;
  part("form button").textContent = words.close;
  // Over plain http no browser lends its camera.
  navigator.mediaDevices?.enumerateDevices?.().then(
    (devices) => { button.hidden = !devices.some(({ kind }) => kind === "videoinput"); },
  );

  let last = "", seen = 0;
  const takes = (code) => {
    const isAgain = code === last && performance.now() - seen < AGAIN;
    [last, seen] = [code, performance.now()];
    if (isAgain) return;
    navigator.vibrate?.(60);
    said.textContent = words.read.replace("{code}", code);
    const desk = window.deskKeys;
    if (!desk.atHome() || desk.isOrderLike(code)) dialog.close();  // else the next item may follow at once
    desk.scan(code);
  };
  const look = async (zxing) => {
    if (!dialog.open || !dialog.isConnected) return stop();
    if (video.videoWidth) {
      [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
      const picture = canvas.getContext("2d", { willReadFrequently: true });
      picture.drawImage(video, 0, 0, canvas.width, canvas.height);
      const shot = picture.getImageData(0, 0, canvas.width, canvas.height);
      const found = await zxing.readBarcodes(shot, { formats: FORMATS, maxNumberOfSymbols: 1 });
      const code = found.find(({ isValid }) => isValid)?.text.trim();
      if (code && dialog.open) takes(code);
    }
    setTimeout(() => look(zxing), PAUSE);
  };
  const stop = () => {
    video.srcObject?.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
  };
  dialog.onclose = stop;
  button.onclick = async () => {
    last = "";
    said.textContent = words.waits;
    dialog.showModal();
    try {
      const wanted = { facingMode: "environment", width: { ideal: WIDEST } };
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: wanted });
      if (!dialog.open) return stop();
      await video.play();
      const zxing = await fetched();
      said.textContent = zxing ? words.hold : words.lost;
      if (zxing) look(zxing);
      else stop();
    } catch (problem) {
      said.textContent = problem.name === "NotAllowedError" ? words.refused : words.none;
    }
  };
  return stop;
}
