from nonresponse.stages import main

main()
