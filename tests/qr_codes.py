"""What a phone reads in a picture: its QR codes. In their squares a reader of everything finds bars of a shop, too."""

import zxingcpp
from PIL.Image import Image


def qr_codes(picture: Image) -> list[zxingcpp.Barcode]:
    return zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
